import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../error.js';
import { pagePolicy, pageSender } from '../web-page/page-reply.js';

const FOLDER = new URL('../../../dist/console/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};
/** Names of files change with what is in them. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * The console may load and call only this service, and shows pictures of strangers from anywhere: they come without the
 * address of the page, and run nothing.
 */
const POLICY = pagePolicy([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https: http:",
  "connect-src 'self'",
]);

const pageOf = (base: string, files: readonly string[]): string => {
  const address = (type: string): string => `${base}/console/file/${files.find((name) => name.endsWith(`.${type}`))}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="referrer" content="no-referrer">
    <meta name="castellan-base" content="${base}">
    <title>Castellan</title>
    <link rel="icon" href="${base}/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="${address('css')}">
  </head>
  <body>
    <div id="app"></div>
    <noscript><p>The console needs JavaScript. The interface does not: <a href="${base}/docs">reference</a>.</p></noscript>
    <script type="module" src="${address('js')}"></script>
  </body>
</html>
`;
};

/**
 * Serves the console: a page for all its addresses, and its script and style sheet. It calls the interface as any
 * program does, with a session in the place of a key (src/access/console-session.ts).
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const registerConsole = (fastify: FastifyInstance, base: string): void => {
  const files = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER))] as const));
  const page = pageOf(base, [...files.keys()]);
  const sendPage = pageSender({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' });
  const sendFile = pageSender({ 'content-security-policy': "default-src 'none'" });
  fastify.get<{ Params: { name: string } }>('/console/file/:name', (request, reply) => {
    const { name } = request.params;
    const body = files.get(name);
    if (body === undefined) throw notFound('This file of the console is of another version: load the page again.');
    return sendFile(reply, TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain', body, FOR_EVER);
  });
  for (const path of ['/console', '/console/*'])
    fastify.get(path, (_request, reply) => sendPage(reply, 'text/html; charset=utf-8', page));
};
