import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Services } from './http/service.js';
import { whenClosed } from './limit/tracked-response.js';

/**
 * Makes the hook that measures an operation: duration by status, requests in flight, and a log line. A request ends
 * when its response is closed, which also happens when the client disconnects.
 */
export const observe = (
  operationId: string,
  { metrics, log }: Pick<Services, 'metrics' | 'log'>,
): ((request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void) => {
  return (request, reply, done) => {
    const startedAt = performance.now();
    metrics.requestsInFlight.inc();
    whenClosed(reply.raw, () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const status = reply.raw.statusCode;
      metrics.requestsInFlight.dec();
      metrics.requestSeconds.observe({ operation: operationId, status }, seconds);
      if (log.isLevelEnabled('debug')) {
        log.debug({ requestId: request.id, operation: operationId, status, seconds }, 'answered');
      }
    });
    done();
  };
};
