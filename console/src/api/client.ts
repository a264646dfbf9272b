import { BASE } from './base.js';
import { record } from './recorded.js';
import type { paths } from './schema.js';

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths that answer a method. */
export type PathOf<V extends Verb> = {
  [P in keyof paths]: paths[P][V] extends { responses: unknown } ? P : never;
}[keyof paths];

/** What a path answers with status 200. */
export type ResponseOf<P extends keyof paths, V extends Verb> = paths[P][V] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type QueryOf<P extends keyof paths, V extends Verb> = paths[P][V] extends { parameters: { query?: infer Query } }
  ? Exclude<Query, undefined>
  : Record<never, never>;

export type BodyOf<P extends keyof paths, V extends Verb> = paths[P][V] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** An error of the service in its own words. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Member of the request that is wrong, if the service names one. */
    readonly property: string | undefined,
    readonly code: string | undefined,
    readonly requestId: string | undefined,
  ) {
    super(message);
  }
}

/** Is called when the session has ended. */
let signedOut: () => void = () => undefined;
export const onSignedOut = (call: () => void): void => {
  signedOut = call;
};

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** @returns path and query; members that are undefined or '' are left out */
export const urlOf = (path: string, query: unknown = {}): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, QueryValue>))
    if (value !== undefined && value !== '') params.set(name, Array.isArray(value) ? value.join(',') : String(value));
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
};

const failureOf = (status: number, parsed: unknown, requestId: string | undefined): ServiceError => {
  const { message, property, code } = (parsed ?? {}) as Record<string, string | undefined>;
  return new ServiceError(status, message ?? `The service answered with status ${status}.`, property, code, requestId);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What was answered, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly ms: number;
}

/**
 * Sends a request with the session, and records it for the panel of the page.
 * @throws ServiceError with status 0 if the service cannot be reached
 */
export const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const startedAt = performance.now();
  const text = body === undefined ? undefined : JSON.stringify(body);
  let response: Response;
  try {
    response = await fetch(`${BASE}${path}`, {
      method,
      headers: {
        'x-castellan-console': '1',
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
  } catch {
    throw new ServiceError(0, 'The service does not answer.', undefined, undefined, undefined);
  }
  const received = await response.text();
  const ms = Math.round(performance.now() - startedAt);
  const { status, headers } = response;
  const units = headers.get('x-compute-units');
  record({
    method,
    path,
    body: text,
    status,
    ms,
    units: units === null ? undefined : Number(units),
    requestId: headers.get('x-request-id') ?? undefined,
    text: received,
  });
  return { status, headers, text: received, ms };
};

/** @throws ServiceError for every status from 400 on */
const sendForJson = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
  const { status, headers, text } = await send(method, path, body);
  const parsed = parse(text);
  if (status < 400) return parsed as Body;
  if (status === 401 && path !== '/portal/session') signedOut();
  throw failureOf(status, parsed, headers.get('x-request-id') ?? undefined);
};

/** Reads. @throws ServiceError */
export const get = <P extends PathOf<'get'>>(path: P, query?: QueryOf<P, 'get'>): Promise<ResponseOf<P, 'get'>> =>
  sendForJson('GET', urlOf(path, query));

/** Reads what `urlOf` has made. @throws ServiceError */
export const getUrl = <Body>(url: string): Promise<Body> => sendForJson('GET', url);

/** Writes. @throws ServiceError */
export const write = <V extends 'post' | 'put' | 'patch' | 'delete', P extends PathOf<V>>(
  verb: V,
  path: P,
  body?: BodyOf<P, V>,
  query?: QueryOf<P, V>,
): Promise<ResponseOf<P, V>> => sendForJson(verb.toUpperCase(), urlOf(path, query), body);
