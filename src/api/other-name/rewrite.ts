import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../error.js';
import { errorBody, statusOf } from '../http/error.js';
import { OTHER_NAMES, type OtherName } from './other-name.js';

const PREFIX = '/v2/farcaster/';
/** Clients of version 2 have a default base URL that ends in `/v2`, and lose it with the base URL of another server. */
const SHORT_PREFIX = '/farcaster/';

const known = new Map(OTHER_NAMES.map((name) => [`${name.method} ${PREFIX}${name.path}`, name]));
/** Requests under other names whose responses are converted. */
const converted = new WeakMap<IncomingMessage, NonNullable<OtherName['convert']>>();

/** Older paths of the sign-in relay, and the path of its health check. */
const SIGN_IN_PATHS: ReadonlyMap<string, string> = new Map([
  ['/v1/connect', '/v1/channel'],
  ['/v1/connect/status', '/v1/channel/status'],
  ['/v1/connect/authenticate', '/v1/channel/authenticate'],
  ['/healthcheck', '/health/live'],
]);

const signInUrlOf = (url: string): string | undefined => {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const current = SIGN_IN_PATHS.get(path);
  return current === undefined ? undefined : `${current}${url.slice(path.length)}`;
};

/**
 * @param request `url` is what the client asked for
 * @returns the URL of the operation: the same, unless the path is another name of it
 */
export const rewriteUrl = (request: Pick<IncomingMessage, 'method' | 'url'>): string => {
  const { method = 'GET', url = '/' } = request;
  const signIn = signInUrlOf(url);
  if (signIn !== undefined) return signIn;
  const long = url.startsWith(SHORT_PREFIX) ? `/v2${url}` : url;
  if (!long.startsWith(PREFIX)) return long;
  const [path = ''] = long.split('?', 1);
  const name = known.get(`${method === 'HEAD' ? 'GET' : method} ${path.replace(/\/+$/, '')}`);
  if (name === undefined) return long;
  if (name.convert !== undefined) converted.set(request as IncomingMessage, name.convert);
  const query = new URLSearchParams(long.slice(path.length));
  name.rename?.(query);
  return `${PREFIX}${name.operation}${query.size > 0 ? `?${query}` : ''}`;
};

/** Converts the responses of other names; to be called before what compresses responses. */
export const convertOtherNames = (fastify: FastifyInstance): void => {
  // Without a promise, because every response passes here.
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    const convert = converted.get(request.raw);
    if (convert === undefined || reply.statusCode !== 200) {
      done(null, payload);
      return;
    }
    const body = convert(JSON.parse(String(payload)) as never);
    if (body !== undefined) {
      done(null, JSON.stringify(body));
      return;
    }
    const error = notFound('There is nothing that this request names.');
    reply.code(statusOf(error)).removeHeader('etag');
    done(null, JSON.stringify(errorBody(error, 'v2', { requestId: request.id })));
  });
};
