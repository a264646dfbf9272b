import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.js';
import { COMPUTE_UNITS } from './cost/metering.js';
import { whenClosed } from './limit/tracked-response.js';

/**
 * Logs one line for each request when its response is closed: the id of the key (never the key), the operation (elsewhere
 * the pattern of the route, because paths may have credentials), the status, the compute units and the time it took.
 */
export const logRequests = (fastify: FastifyInstance, log: Log): void => {
  // Whoever asks for these lines gets them at every level.
  const lines = log.child({}, { level: 'info' });
  fastify.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    whenClosed(reply.raw, () => {
      const { operation } = request.routeOptions.config;
      const units = reply.getHeader(COMPUTE_UNITS);
      lines.info(
        {
          requestId: request.id,
          ...(request.caller && { keyId: request.caller.keyId }),
          method: request.method,
          ...(operation ? { operation: operation.id } : { path: request.routeOptions.url }),
          status: reply.raw.statusCode,
          ...(units !== undefined && { units: Number(units) }),
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
          // The client left before the response was complete.
          ...(!reply.raw.writableFinished && { isCut: true }),
        },
        'request',
      );
    });
    done();
  });
};
