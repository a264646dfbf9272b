import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { apiKeyOf } from '../../access/key-header.js';
import { AppError } from '../../error.js';
import { type Call, contentOf, parseBody, urlOf } from '../../mcp/call.js';
import { VERSION } from '../../version.js';
import { toAppError } from '../http/error.js';
import { JSON_TYPE } from '../http/json-type.js';
import type { Services } from '../http/service.js';
import { tooManyRequests } from '../limit/rate-limit.js';
import { whenClosed } from '../limit/tracked-response.js';
import { observe } from '../request-metrics.js';
import { createHostCheck } from './known-host.js';

/** Far above any input of a tool. */
const MAX_BODY_BYTES = 128 * 1024;

/** Headers of the protocol that its handler reads. */
const PROTOCOL_HEADERS = /^(accept|content-type|mcp-.*)$/;

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const sendError = (reply: FastifyReply, code: number, message: string): FastifyReply =>
  reply
    .code(400)
    .header('content-type', JSON_TYPE)
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));

/**
 * Serves the Model Context Protocol at `/mcp`: streamable HTTP without sessions, with the keys of the interface. A tool
 * calls operations in this process as its caller would, so this route itself only checks the key and counts requests; it
 * takes no turn of its own (`Admission`), or a key could use up its turns with requests that wait for a turn.
 */
export const registerMcp = (fastify: FastifyInstance, services: Services): void => {
  const { authenticator, rateLimiter, publicUrl, log } = services;
  const limit = rateLimiter.of('mcp');
  const whyRefused = createHostCheck(publicUrl);

  const admit = async (request: FastifyRequest): Promise<void> => {
    const { host, origin } = request.headers;
    const why = whyRefused({ host, origin });
    if (why !== undefined) throw new AppError('forbidden', 'Forbidden', why);
    request.caller = await authenticator.authenticate(apiKeyOf(request.headers));
    const allowance = await limit.consumeForKey(request.caller);
    if (allowance?.exceeded) throw tooManyRequests(allowance);
  };

  /** @returns a function that calls operations with the key of a request, and only while its client waits */
  const callerOf =
    (request: FastifyRequest, signal: AbortSignal): Call =>
    async (asked) => {
      const { headers, payload } = contentOf(asked);
      const response = await fastify.inject({
        method: asked.method as HTTPMethods & 'GET',
        url: urlOf(asked),
        headers: { ...headers, 'x-api-key': apiKeyOf(request.headers) as string },
        remoteAddress: request.ip,
        signal,
        ...(payload !== undefined && { payload }),
      });
      return { status: response.statusCode, body: parseBody(response.payload) };
    };

  fastify.route({
    method: 'POST',
    url: '/mcp',
    bodyLimit: MAX_BODY_BYTES,
    onRequest: [observe({ id: 'mcp' }, services), admit],
    errorHandler: (thrown, _request, reply) => {
      const error = toAppError(thrown);
      // What is no JSON, or JSON that no operation takes.
      if (error.kind !== 'invalid') throw error;
      return sendError(reply, PARSE_ERROR, error.message);
    },
    handler: async (request, reply) => {
      if (Array.isArray(request.body))
        return sendError(reply, INVALID_REQUEST, 'Send one message: the specification has no batches.');
      if (request.body === undefined || request.body === null)
        return sendError(reply, PARSE_ERROR, 'Send a message as JSON.');
      const closed = new AbortController();
      whenClosed(reply.raw, () => closed.abort());
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers))
        if (PROTOCOL_HEADERS.test(name) && typeof value === 'string') headers.set(name, value);
      // The SDK takes a third of a second and megabytes of memory, which only a service with agents spends.
      const { answerMcp } = await import('../../mcp/serve-http.js');
      const { signal } = closed;
      const answer = await answerMcp(
        { body: request.body, headers, signal },
        {
          version: VERSION,
          call: callerOf(request, signal),
          scopes: request.caller?.scopes,
          failed: (error) => log.error({ err: error, requestId: request.id }, 'a tool failed'),
        },
      );
      for (const [name, value] of answer.headers) reply.header(name, value);
      return reply.code(answer.status).send(answer.text === '' ? undefined : answer.text);
    },
  });
};
