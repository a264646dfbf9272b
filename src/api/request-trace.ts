import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { RequestSpan, Tracer } from '../trace/tracer.js';
import type { Operation } from './http/operation.js';
import { whenClosed } from './limit/tracked-response.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Makes a span of each request of an operation. It ends when the response is closed. */
export const createRequestTrace = (
  { id, method, path }: Pick<Operation, 'id' | 'method' | 'path'>,
  tracer: Tracer,
): {
  readonly begin: (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;
  readonly within: (handler: Handler) => Handler;
} => {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  const name = `${method} ${path}`;
  const common = { 'http.request.method': method, 'http.route': path, 'castellan.operation': id };
  return {
    begin: (request, reply, done) => {
      const span = tracer.beginRequest(name, request.headers, { ...common, 'castellan.request_id': request.id });
      if (span !== undefined) {
        spans.set(request, span);
        whenClosed(reply.raw, () => span.end(reply.raw.statusCode));
      }
      done();
    },
    within: (handler) => (request, reply) =>
      spans.get(request)?.within(() => handler(request, reply)) ?? handler(request, reply),
  };
};
