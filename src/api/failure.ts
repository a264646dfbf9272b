import type { Socket } from 'node:net';
import type { ConnectionError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../error.js';
import type { Log } from '../log.js';
import { asListed, errorBody, errorHeaders, statusOf, toAppError } from './error.js';
import { familyOf } from './family.js';
import { JSON_TYPE } from './json-type.js';
import type { KnownPaths } from './known-path.js';
import { tellNothingCost } from './metering.js';
import { requestIdOf } from './request-id.js';

const report = (log: Log, error: AppError, request: FastifyRequest): void => {
  const status = statusOf(error);
  if (status < 500 || error.kind === 'not_implemented') return;
  const { id: requestId, method, routeOptions, url } = request;
  // The route's form, not the address itself: what stands in the path may be a credential.
  const path = routeOptions.url ?? url.split('?', 1)[0];
  const line = { requestId, method, path, status, err: error.cause ?? error };
  if (error.kind === 'internal') log.error(line, 'a request failed');
  else log.warn(line, 'a request could not be served');
};

/** Answers every error of every route: the only place that turns errors into HTTP. */
export const answerErrors = (fastify: FastifyInstance, log: Log): void => {
  fastify.setErrorHandler((thrown: unknown, request, reply) => {
    const { operation, check } = request.routeOptions.config;
    let error = asListed(toAppError(thrown), operation);
    const family = operation?.family ?? familyOf(request.url);
    const { dialect, invalidBody } = operation ?? {};
    const options = { requestId: request.id, validation: invalidBody !== undefined, dialect };
    let body = errorBody(error, family, options);
    try {
      check?.(statusOf(error), body);
    } catch (mismatch) {
      error = toAppError(mismatch);
      body = errorBody(error, family, options);
    }
    report(log, error, request);
    tellNothingCost(request, reply);
    reply.code(statusOf(error)).headers(errorHeaders(error)).header('content-type', JSON_TYPE);
    return reply.send(JSON.stringify(body));
  });
};

/** Answers what no route takes: a known path with a wrong method is 405, everything else 404. */
export const answerUnknown = (fastify: FastifyInstance, knownPaths: KnownPaths): void => {
  fastify.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = knownPaths.allowed(request.url);
    if (allowed === undefined) {
      throw new AppError('not_found', 'NotFound', `There is nothing at ${path}. The operations are listed at /docs.`);
    }
    reply.header('allow', allowed);
    throw new AppError('wrong_method', 'MethodNotAllowed', `${path} takes ${allowed}, not ${request.method}.`);
  });
};

/** Answers an address that cannot be routed at all, before Fastify has a route or hooks for it. */
export const answerUnroutable = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const error = toAppError(thrown);
  const body = JSON.stringify(errorBody(error, familyOf(request.raw.url ?? ''), { requestId: request.id }));
  const headers = {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': request.id,
    'access-control-allow-origin': '*',
  };
  reply.raw.writeHead(statusOf(error), headers).end(body);
};

/** Node hands out the packet as a Buffer, whatever its type says. */
const firstBytes = (packet: unknown): string => (Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 256) : '');

/** Answers bytes that are no HTTP request, headers beyond the limit, and requests that never end. */
export const answerBrokenHttp = (thrown: ConnectionError, socket: Socket): void => {
  if (thrown.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const url = /^[A-Z]+ (\/\S*)/.exec(firstBytes(thrown.rawPacket))?.[1] ?? '';
  const message =
    thrown.code === 'HPE_HEADER_OVERFLOW'
      ? 'The address and the headers together are too long.'
      : 'The request is not complete HTTP.';
  const error = new AppError('invalid', 'InvalidField', message, {
    property: 'request',
    hubCode: 'bad_request.parse_failure',
  });
  const requestId = requestIdOf({ headers: {} });
  const body = JSON.stringify(errorBody(error, familyOf(url), { requestId }));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: ${JSON_TYPE}\r\nx-request-id: ${requestId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
};
