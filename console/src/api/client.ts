import { BASE } from './base.js';
import { type RecordedRequest, startRecord } from './recorded.js';
import type { paths } from './schema.js';
import { isOfSession } from './session-path.js';

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

/** Is called for status 401, which also means a missing scope where an operation has no 403. */
let unauthorized: () => void = () => undefined;
export const onUnauthorized = (call: () => void): void => {
  unauthorized = call;
};

/** @param status of a response; the session decides by itself whether it has ended */
export const checkStatus = (status: number): void => {
  if (status === 401) unauthorized();
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

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What was answered, whatever its status. */
export interface Answer extends RecordedRequest {
  /** The text as JSON; undefined if it is none. */
  readonly parsed: unknown;
}

/**
 * Sends a request with the session, and records it for the panel of the page.
 * @param given headers of the operation
 * @throws ServiceError with status 0 if the service cannot be reached
 */
export const send = async (
  method: string,
  path: string,
  body?: unknown,
  given: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const startedAt = performance.now();
  const record = startRecord();
  const sent = body === undefined ? undefined : JSON.stringify(body);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${BASE}${path}`, {
      method,
      headers: {
        ...given,
        'x-castellan-console': '1',
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    text = await response.text();
  } catch {
    throw new ServiceError(0, 'The service does not answer.', undefined, undefined, undefined);
  }
  const { status, headers } = response;
  const units = headers.get('x-compute-units');
  const request: RecordedRequest = {
    method,
    path,
    headers: given,
    body: sent,
    status,
    ms: Math.round(performance.now() - startedAt),
    units: units === null ? undefined : Number(units),
    requestId: headers.get('x-request-id') ?? undefined,
    text,
  };
  record(request);
  if (!isOfSession(path)) checkStatus(status);
  return { ...request, parsed: parse(text) };
};

/** @returns the error that a response says */
export const failureOf = ({
  status,
  parsed,
  requestId,
}: Pick<Answer, 'status' | 'parsed' | 'requestId'>): ServiceError => {
  const { message, property, code } = (parsed ?? {}) as Record<string, string | undefined>;
  return new ServiceError(status, message ?? `The service answered with status ${status}.`, property, code, requestId);
};

/** @throws ServiceError for every status from 400 on */
const sendForJson = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
  const answer = await send(method, path, body);
  if (answer.status >= 400) throw failureOf(answer);
  return answer.parsed as Body;
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
