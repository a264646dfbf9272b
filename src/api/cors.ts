import type { FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED = [
  'x-request-id',
  'x-compute-units',
  'x-compute-units-used',
  'x-compute-units-limit',
  'x-compute-units-reset',
  'x-partial-networks',
  'ratelimit',
  'retry-after',
].join(', ');

/**
 * Lets pages of any origin read the answer: the key is a header of its own, so no cookie rides along.
 * Only browsers send an origin, and only they look at these headers.
 */
export const allowOrigins = (request: FastifyRequest, reply: FastifyReply): void => {
  if (request.headers.origin === undefined) return;
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
};

/**
 * Answers OPTIONS, the browser's question whether it may send a request with a key.
 * @param methods of the path; undefined for a path that is not known here.
 */
export const answerOptions = (reply: FastifyReply, methods: string | undefined): void => {
  const allowed = methods ?? 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
  reply
    .code(204)
    .header('allow', allowed)
    .header('access-control-allow-methods', allowed)
    // The star stands for every header but this one.
    .header('access-control-allow-headers', '*, authorization')
    .header('access-control-max-age', '86400')
    .send();
};
