import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { LoggedOperation, Services } from './http/service.js';
import { whenClosed } from './limit/tracked-response.js';

/**
 * Makes the hook that measures an operation: duration by status, requests in flight, a log line, and a row of the request
 * log. A request ends when its response is closed, which also happens when the client disconnects.
 */
export const observe = (
  operation: LoggedOperation,
  { metrics, log, requestLog }: Pick<Services, 'metrics' | 'log' | 'requestLog'>,
): ((request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void) => {
  return (request, reply, done) => {
    const startedAt = performance.now();
    metrics.requestsInFlight.inc();
    whenClosed(reply.raw, () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const status = reply.raw.statusCode;
      metrics.requestsInFlight.dec();
      metrics.requestSeconds.observe({ operation: operation.id, status }, seconds);
      requestLog?.add(operation, request, reply, seconds * 1000);
      if (log.isLevelEnabled('debug')) {
        log.debug({ requestId: request.id, operation: operation.id, status, seconds }, 'answered');
      }
    });
    done();
  };
};
