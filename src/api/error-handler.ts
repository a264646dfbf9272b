import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorKind } from '../error.js';
import type { Log } from '../log.js';
import { setZeroCostHeader } from './cost/metering.js';
import { DEFAULT_HEADERS } from './default-header.js';
import { asListed, errorBody, errorHeaders, statusOf, toAppError } from './http/error.js';
import { familyOf } from './http/family.js';
import { JSON_TYPE } from './http/json-type.js';
import { isRefusal } from './limit/admission.js';
import { absenceOf, replacementOf } from './other-name/gone.js';
import { requestIdOf } from './request-id.js';
import type { KnownPaths } from './route-methods.js';
import { ERROR_PAGE_HEADERS, errorPage, wantsPage } from './web-page/error-page.js';

/** A list of 350 addresses in a query is longer than the 16 KiB that Node allows by default. */
export const MAX_HEADER_BYTES = 64 * 1024;

const report = (log: Log, error: AppError, request: FastifyRequest): void => {
  const status = statusOf(error);
  if (status < 500 || error.kind === 'not_implemented' || isRefusal(error)) return;
  const { id: requestId, method, routeOptions, url } = request;
  // Logs the route's pattern instead of the URL, whose path may have a credential.
  const path = routeOptions.url ?? url.split('?', 1)[0];
  const line = { requestId, method, path, status, err: error.cause ?? error };
  if (error.kind === 'internal') log.error(line, 'a request failed');
  else log.warn(line, 'a request could not be served');
};

/**
 * Converts every error of every route to HTTP; nothing else does.
 * @param base path prefix of the pages that people open, who get a page instead of JSON; undefined without pages
 */
export const handleErrors = (fastify: FastifyInstance, log: Log, base: string | undefined): void => {
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
    request.failure = error;
    setZeroCostHeader(request, reply);
    reply.code(statusOf(error)).headers(errorHeaders(error)).header('content-type', JSON_TYPE);
    if (base !== undefined && wantsPage(request))
      return reply.headers(ERROR_PAGE_HEADERS).send(errorPage(error, base, request.id));
    return reply.send(JSON.stringify(body));
  });
};

/**
 * Handles requests without a route: 410 for a path that is gone, 405 for a known path with a wrong method, else
 * 404.
 */
export const handleNotFound = (fastify: FastifyInstance, knownPaths: KnownPaths): void => {
  fastify.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = knownPaths.allowed(request.url);
    if (allowed === undefined) {
      const replacement = replacementOf(path);
      if (replacement !== undefined) throw new AppError('gone', 'Gone', replacement);
      throw new AppError('not_found', 'NotFound', absenceOf(path));
    }
    reply.header('allow', allowed);
    throw new AppError('wrong_method', 'MethodNotAllowed', `${path} takes ${allowed}, not ${request.method}.`);
  });
};

/** Handles URLs that cannot be routed, which fail before Fastify has a route or hooks. */
export const handleUnroutable = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const error = toAppError(thrown);
  const body = JSON.stringify(errorBody(error, familyOf(request.raw.url ?? ''), { requestId: request.id }));
  const headers = {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': request.id,
    'access-control-allow-origin': '*',
    ...DEFAULT_HEADERS,
  };
  reply.raw.writeHead(statusOf(error), headers).end(body);
};

/** Errors of Node's HTTP parser by code. */
const BROKEN_HTTP: Readonly<Record<string, readonly [kind: ErrorKind, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'RequestHeaderFieldsTooLarge',
    `The address and the headers together are longer than ${MAX_HEADER_BYTES} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['too_slow', 'RequestTimeout', 'The request did not arrive in time.'],
};
const NOT_HTTP = ['invalid', 'InvalidField', 'The request is not complete HTTP.'] as const;

/**
 * @returns the request line, if known: Node provides the packet in which parsing failed, which begins a request if it
 *   is the first of the connection or looks like a request line
 */
const firstBytes = ({ rawPacket }: ConnectionError, socket: Socket): string | undefined => {
  // A Buffer, although its type is wider.
  const packet: unknown = rawPacket;
  if (!Buffer.isBuffer(packet)) return undefined;
  const text = packet.toString('latin1', 0, 256);
  return packet.length === socket.bytesRead || /^[A-Z]+ \//.test(text) ? text : undefined;
};

/**
 * Responds to malformed HTTP, to headers that are too large and to incomplete requests. The error body is that of the
 * path's family. HEAD requests get no body. Of headers that came in several packets the request line is not known; they
 * get one, as almost all are of other requests and the connection ends here. Incomplete requests get none.
 */
export const handleMalformedHttp = (thrown: ConnectionError, socket: Socket): void => {
  if (thrown.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const start = firstBytes(thrown, socket);
  const url = /^[A-Z]+ (\/\S*)/.exec(start ?? '')?.[1] ?? '';
  const [kind, code, message] = BROKEN_HTTP[thrown.code] ?? NOT_HTTP;
  const error = new AppError(kind, code, message, { property: 'request', hubCode: 'bad_request.parse_failure' });
  const requestId = requestIdOf({ headers: {} });
  const isTooLate = thrown.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const hasBody = start === undefined ? !isTooLate : !start.startsWith('HEAD ');
  const body = hasBody ? JSON.stringify(errorBody(error, familyOf(url), { requestId })) : '';
  const status = statusOf(error);
  const headers = {
    ...(hasBody && { 'content-type': JSON_TYPE }),
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...DEFAULT_HEADERS,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
};
