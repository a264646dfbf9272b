import type { FastifyReply } from 'fastify';

/**
 * @param allowed what the page may load, as directives
 * @param others which pages may show it in a frame, and where its forms may be sent to; none unless given
 * @returns the Content-Security-Policy of a page that may do nothing else
 */
export const pagePolicy = (
  allowed: readonly string[],
  { frames = "'none'", forms = "'none'" }: { readonly frames?: string; readonly forms?: string } = {},
): string =>
  ["default-src 'none'", ...allowed, "base-uri 'none'", `form-action ${forms}`, `frame-ancestors ${frames}`].join('; ');

/** How long static files of pages are kept: five minutes, so that those of a new version show soon. */
export const STATIC_CACHE = 'public, max-age=300';

/** @returns a function that sends a page, or a part of it, with these headers */
export const pageSender =
  (headers: Readonly<Record<string, string>>) =>
  (reply: FastifyReply, type: string, body: string | Buffer, cache = 'no-store'): FastifyReply =>
    reply.headers({ ...headers, 'content-type': type, 'cache-control': cache }).send(body);
