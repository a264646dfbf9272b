import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../error.js';
import { createMetered, setZeroCost } from './cost/metering.js';
import { createGuard } from './http/access-control.js';
import { createTagger, findKnownTag, setValidationHeaders } from './http/conditional-read.js';
import { JSON_TYPE } from './http/json-type.js';
import { HandlerResponse, type Operation, octetStream, StreamResponse, signedJson } from './http/operation.js';
import { createResponseCheck, readReply } from './http/response-check.js';
import type { Services } from './http/service.js';
import { readAsHubs } from './hub/lenient-query.js';
import { ParsedRequest } from './parsed-request.js';
import { observe } from './request-metrics.js';
import { createRequestTrace } from './request-trace.js';
import { sendStream } from './stream-response.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    /** Validates responses against the operation's schema; for tests. */
    check?: (status: number, body: unknown) => void;
  }
}

const bytesOrJson = (body: unknown): Buffer | string => (Buffer.isBuffer(body) ? body : JSON.stringify(body));

const send = (reply: FastifyReply, result: unknown): FastifyReply => {
  reply.header('content-type', JSON_TYPE);
  if (result instanceof HandlerResponse)
    return reply.code(result.status).headers(result.headers).send(bytesOrJson(result.body));
  return reply.send(bytesOrJson(result));
};

/** Every route can parse all media types, but an operation accepts only the type that it declares. */
const mediaTypeError = (request: FastifyRequest, wanted: string): AppError | null => {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  // A request without a content type has no body, which the validator of JSON reports.
  const isJson = wanted === 'application/json';
  const encoded = request.headers['content-encoding'] !== undefined;
  if (!encoded && (type === wanted || (type === undefined && isJson))) return null;
  const message = `Send the body with the header content-type: ${wanted}${encoded ? ', not compressed' : ''}.`;
  return new AppError('wrong_media_type', 'UnsupportedMediaType', message);
};

/** @returns a cache key of everything that the response depends on */
const keyOf = ({ id }: Operation, { caller, query, params }: ParsedRequest): string =>
  `${id} ${caller.appId} ${JSON.stringify([query, params])}`;

type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type Check = ReturnType<typeof createResponseCheck>;

const createReadWork = (
  operation: Operation & Required<Pick<Operation, 'read'>>,
  services: Services,
  check: Check | undefined,
): Work => {
  const { read, wireFormat } = operation;
  const tag = createTagger(operation, services);
  return async (request, reply) => {
    const parsed = new ParsedRequest(request, reply, services.log, wireFormat);
    // The tag is cached with the response, so a repeated request hashes nothing.
    const response = await services.reads.answer(
      keyOf(operation, parsed),
      async (context) => tag(await read(parsed, context, services), parsed),
      parsed.caller.keyId,
    );
    check?.(200, readReply(response.body).body);
    setValidationHeaders(reply, response);
    const knownTag = findKnownTag(request, response);
    if (knownTag === undefined) return send(reply, response.body);
    reply.header('etag', knownTag);
    setZeroCost(reply);
    reply.code(304);
    // Without the body, Fastify would say that the response to a HEAD request has a length of 0.
    return request.method === 'HEAD' ? send(reply, response.body) : reply.send();
  };
};

const createWork = (operation: Operation, services: Services, check: Check | undefined): Work => {
  const { read, handle, wireFormat } = operation;
  // Health checks do not wait for anybody.
  const siblingsUpToDate = operation.scope === 'public' ? undefined : services.siblingsUpToDate;
  if (read !== undefined) return createReadWork({ ...operation, read }, services, check);
  return async (request, reply) => {
    let handled: unknown;
    try {
      handled = await handle?.(new ParsedRequest(request, reply, services.log, wireFormat), services);
    } finally {
      // The client may send its next request to another worker, also after an error: part may have been written.
      await siblingsUpToDate?.();
    }
    if (handled instanceof StreamResponse) return sendStream(request, reply, handled);
    const result = wireFormat?.answer === undefined ? handled : wireFormat.answer(handled);
    if (check) {
      const { status, body } = readReply(result);
      check(status, body);
    }
    return send(reply, result);
  };
};

/** Keeps the slot of a request until its handler has ended, also if the client disconnects before. */
const holdSlot =
  (work: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>): Work =>
  async (request, reply) => {
    const { slot } = request;
    if (slot === null) return work(request, reply);
    slot.isWorking = true;
    try {
      return await work(request, reply);
    } finally {
      slot.worked();
    }
  };

/**
 * Registers the route of an operation.
 * @param options `validateResponses` checks every response against the operation's schema
 * @throws Error for a cost that does not match the operation's schemas
 */
export const registerOperation = (
  fastify: FastifyInstance,
  operation: Operation,
  services: Services,
  { validateResponses }: { readonly validateResponses: boolean },
): void => {
  const { query, body, params, headers, maxBodyBytes, isForm } = operation;
  const check = validateResponses ? createResponseCheck(operation) : undefined;
  const raw = body === octetStream;
  const wanted = raw ? 'application/octet-stream' : isForm ? 'multipart/form-data' : 'application/json';
  const work = createWork(operation, services, check);
  const trace = services.tracer && createRequestTrace(operation, services.tracer);
  const handler = holdSlot(operation.scope === 'public' ? work : createMetered(operation, services.meter, work));
  fastify.route({
    method: operation.method,
    url: operation.path,
    config: { operation, ...(check && { check }) },
    schema: {
      ...(query && { querystring: query }),
      ...(body && !raw && body !== signedJson && { body }),
      ...(params && { params }),
      ...(headers && { headers }),
    },
    ...(maxBodyBytes !== undefined && { bodyLimit: maxBodyBytes }),
    onRequest: [...(trace ? [trace.begin] : []), observe(operation, services), createGuard(operation, services)],
    ...(body && {
      preParsing: (request, _reply, payload, done) => done(mediaTypeError(request, wanted), payload),
    }),
    ...(query && operation.family === 'hub' && { preValidation: readAsHubs(query) }),
    handler: trace?.within(handler) ?? handler,
  });
};
