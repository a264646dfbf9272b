import type { FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED = [
  'etag',
  'x-request-id',
  'x-compute-units',
  'x-compute-units-used',
  'x-compute-units-limit',
  'x-compute-units-reset',
  'x-partial-networks',
  'x-partial-fids',
  'ratelimit',
  'retry-after',
].join(', ');

/**
 * Allows pages of any origin to read the response, which is safe because authentication uses a header and no cookie.
 * Requests without an origin are not from browsers and do not need these headers.
 */
export const allowOrigins = (request: FastifyRequest, reply: FastifyReply): void => {
  if (request.headers.origin === undefined) return;
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
};

/** @param methods of the path, for `Allow`; undefined for an unknown path */
export const handleCorsPreflight = (reply: FastifyReply, methods: string | undefined): void => {
  const allowed = methods ?? 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
  reply
    .code(204)
    .header('allow', allowed)
    .header('access-control-allow-methods', allowed)
    // The wildcard does not include `authorization`.
    .header('access-control-allow-headers', '*, authorization')
    .header('access-control-max-age', '86400')
    .send();
};
