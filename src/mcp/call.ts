import { isObject } from '../is-object.js';

/** A request to an operation of the service. */
export interface CallRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Like `/v2/social/cast/`, without a query. */
  readonly path: string;
  /** Members that are undefined are left out; lists are joined by commas. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>;
  /** Bytes are sent as `application/octet-stream`, an object as JSON. */
  readonly body?: object | Uint8Array;
}

export interface CallResponse {
  readonly status: number;
  /** Parsed JSON; undefined for a response that is not JSON. */
  readonly body: unknown;
}

/**
 * Sends a request with the key of the caller. It is all that a tool may do, so scopes, rate limits, costs and errors are
 * those of the operations.
 */
export type Call = (request: CallRequest) => Promise<CallResponse>;

/** An operation refused a request; the message says why, in the words of the service. */
export class CallError extends Error {
  override readonly name = 'CallError';
  constructor(
    readonly status: number,
    /** Like `NotFound`; empty for an error of another form. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** Whether the key works and may not do this. A 403, which has many reasons, says its own. */
  get lacksScope(): boolean {
    return this.code === 'InsufficientScope';
  }
}

const MAX_MESSAGE = 500;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const errorOf = ({ status, body }: CallResponse): CallError => {
  const { code, message, details, errCode } = isObject(body) ? body : {};
  const said = textOf(message) ?? textOf(details) ?? 'The service did not say why.';
  return new CallError(status, textOf(code) ?? textOf(errCode) ?? '', said.slice(0, MAX_MESSAGE));
};

/**
 * @returns the body of a successful response
 * @throws CallError for any other
 */
export const ask = async <Body>(call: Call, request: CallRequest): Promise<Body> => {
  const response = await call(request);
  if (response.status < 200 || response.status > 299) throw errorOf(response);
  return response.body as Body;
};

/** Reads with GET. @throws CallError */
export const read = <Body>(call: Call, path: string, query: NonNullable<CallRequest['query']>): Promise<Body> =>
  ask<Body>(call, { method: 'GET', path, query });

/** @returns path and query of a request */
export const urlOf = ({ path, query = {} }: CallRequest): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
};

/** @returns headers and body of a request, beside the key */
export const contentOf = ({ body }: CallRequest): { headers: Record<string, string>; payload?: string | Buffer } => {
  if (body === undefined) return { headers: {} };
  if (body instanceof Uint8Array)
    return { headers: { 'content-type': 'application/octet-stream' }, payload: Buffer.from(body) };
  return { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) };
};

/** @returns parsed JSON; undefined for another text */
export const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
