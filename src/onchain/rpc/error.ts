import {
  BaseError,
  type Hex,
  HttpRequestError,
  ResponseBodyTooLargeError,
  RpcRequestError,
  UnknownRpcError,
} from 'viem';
import { cleanText } from '../../clean-text.js';
import { isResultOf } from './result.js';

/**
 * The outcome of a request to an endpoint: `ok`, `error` (the chain responded with an error, such as a revert), or why
 * the endpoint is unusable: `rate_limited`, `timeout`, `unreachable`, `refused` (its key is not accepted), `faulty` (an
 * invalid response), `wrong_chain`, `unsupported` (another endpoint may have the method), `too_large` (the response is
 * above 2 MiB, or above 4 MiB where it has events, or has too many values, and would be again).
 */
export type RpcOutcome =
  | 'ok'
  | 'error'
  | 'rate_limited'
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'faulty'
  | 'wrong_chain'
  | 'unsupported'
  | 'too_large';

/** An endpoint is unusable for a request; another one may work. The message does not contain its URL. */
export class EndpointError extends BaseError {
  readonly outcome: Exclude<RpcOutcome, 'ok' | 'error'>;
  /** Milliseconds after which the endpoint accepts requests again. */
  readonly retryAfter: number | undefined;
  /** The JSON-RPC error of the endpoint, if it responded with one. */
  readonly rpcError: RpcRequestError | undefined;

  constructor(
    outcome: EndpointError['outcome'],
    message: string,
    options: { readonly retryAfter?: number | undefined; readonly rpcError?: RpcRequestError } = {},
  ) {
    super(message, { name: 'EndpointError' });
    this.outcome = outcome;
    this.retryAfter = options.retryAfter;
    this.rpcError = options.rpcError;
  }
}

/** -32005 is from EIP-1474; the others are providers' codes (as listed in viem's `shouldRetry`). */
const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([-32_005, -32_007, 429]);
/** EIP-1474: method not found, method not supported. */
const UNSUPPORTED_CODES: ReadonlySet<number> = new Set([-32_601, -32_004]);
/** EIP-1474: parse error, internal error, resource not found, resource unavailable. */
const ERROR_CODES: ReadonlySet<number> = new Set([-32_700, -32_603, -32_001, -32_002]);

const RATE_LIMIT_PATTERN = /rate.?limit|too many requests|request limit|compute units|capacity/i;
/** EIP-1474: limit exceeded. Endpoints also use it for a log search with too many results. */
const LIMIT_EXCEEDED = -32_005;
const SEARCH_PATTERN = /\bresults?\b|\blogs?\b|\brange\b/i;
/** A node that lags behind or lacks old state uses the code -32000, which it also uses for an invalid transaction. */
const ERROR_PATTERNS =
  /header not found|missing trie node|unknown block|not synced|syncing|timed? ?out|temporarily|upstream/i;
/** Takes precedence over ERROR_PATTERNS: the message of a revert may contain any words. */
const REVERT_PATTERN = /revert|gas required exceeds/i;

interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

const isErrorObject = (value: unknown): value is RpcErrorObject =>
  typeof value === 'object' &&
  value !== null &&
  Number.isInteger((value as RpcErrorObject).code) &&
  typeof (value as RpcErrorObject).message === 'string';

/** @returns milliseconds of a Retry-After header in seconds; dates are ignored */
const retryAfterOf = (headers: Headers | undefined): number | undefined => {
  const text = headers?.get('retry-after');
  return text && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined;
};

const outcomeOfStatus = (status: number): EndpointError['outcome'] => {
  if (status === 429) return 'rate_limited';
  return status === 401 || status === 402 || status === 403 ? 'refused' : 'faulty';
};

const REVERTED_CODE = 3;

/** @returns the revert data: as a string, inside an object, or after a word, depending on the node */
const revertDataOf = ({ data }: RpcErrorObject): Hex | undefined => {
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  const [, found] = typeof inner === 'string' ? (/^(?:Reverted )?(0x[0-9a-f]*)$/i.exec(inner) ?? []) : [];
  return found as Hex | undefined;
};

/** Statuses of the endpoint itself, not of the chain: the client is not authorized, or the endpoint is broken. */
const isOwnStatus = (status: number): boolean => status === 401 || status === 402 || status === 403 || status >= 500;

const outcomeOfError = (
  status: number,
  { code, message }: RpcErrorObject,
  revertData: Hex | undefined,
): EndpointError['outcome'] | undefined => {
  if (status === 429) return 'rate_limited';
  // An error with revert data comes from a call that the chain executed.
  if (code === REVERTED_CODE || revertData !== undefined) return undefined;
  if (isOwnStatus(status)) return outcomeOfStatus(status);
  if (REVERT_PATTERN.test(message)) return undefined;
  if (code === LIMIT_EXCEEDED && SEARCH_PATTERN.test(message) && !RATE_LIMIT_PATTERN.test(message)) return undefined;
  if (RATE_LIMIT_CODES.has(code) || RATE_LIMIT_PATTERN.test(message)) return 'rate_limited';
  if (UNSUPPORTED_CODES.has(code)) return 'unsupported';
  return ERROR_CODES.has(code) || ERROR_PATTERNS.test(message) ? 'faulty' : undefined;
};

/** Maximum length of a node's error message. */
const MAX_MESSAGE_CHARACTERS = 1000;

/** An HTTP response before validation. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
}

/**
 * Validates a JSON-RPC response.
 * @param label names the endpoint without its URL
 * @param redact removes the endpoint's secrets from its message
 * @throws RpcRequestError for an error of the chain, EndpointError if the endpoint is unusable
 */
export const readAnswer = (
  { status, headers, data }: RawResponse,
  body: { readonly method: string; readonly params?: unknown },
  label: string,
  redact: (text: string) => string,
): unknown => {
  const { error, result } = (data ?? {}) as { error?: unknown; result?: unknown };
  const retryAfter = retryAfterOf(headers);
  if (!isErrorObject(error)) {
    if (status >= 200 && status < 300 && result !== undefined && isResultOf(body.method, result)) return result;
    if (status < 300) throw new EndpointError('faulty', `${label} answered with something that is no JSON-RPC.`);
    throw new EndpointError(outcomeOfStatus(status), `${label} answered with status ${status}.`, { retryAfter });
  }
  const revertData = revertDataOf(error);
  const message = cleanText(redact(error.message), MAX_MESSAGE_CHARACTERS);
  // Error data other than revert data is dropped, because it may contain the URL.
  const rpcErrorBody = { code: error.code, message, ...(revertData && { data: revertData }) };
  const rpcError = new RpcRequestError({ body: body as { [key: string]: unknown }, error: rpcErrorBody, url: label });
  const outcome = outcomeOfError(status, error, revertData);
  if (outcome === undefined) throw rpcError;
  throw new EndpointError(outcome, `${label} answered with the error ${error.code}.`, { retryAfter, rpcError });
};

/** @returns whether a client of `Networks` threw because the response is too large, which depends on what was asked */
export const isTooLarge = (error: unknown): boolean => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof EndpointError) return one.outcome === 'too_large';
  }
  return false;
};

/** Finds the code of the system error, such as ECONNREFUSED, among the causes of what `fetch` threw. */
const systemCode = (error: unknown): string | undefined => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  }
  return undefined;
};

/** Converts an error of the HTTP client. Its message is not copied, because it contains the URL. */
export const errorOf = (error: unknown, label: string): EndpointError => {
  if (error instanceof EndpointError) return error;
  if (error instanceof HttpRequestError && error.status !== undefined) {
    const retryAfter = retryAfterOf(error.headers);
    return new EndpointError(outcomeOfStatus(error.status), `${label} answered with status ${error.status}.`, {
      retryAfter,
    });
  }
  if (error instanceof ResponseBodyTooLargeError) {
    return new EndpointError('too_large', `${label} answered with more bytes or values than are read.`);
  }
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) {
    return new EndpointError('timeout', `${label} did not answer in time.`);
  }
  const code = systemCode(error);
  if (error instanceof HttpRequestError && code === undefined && error.walk((one) => one instanceof SyntaxError)) {
    return new EndpointError('faulty', `${label} answered with something that is no JSON.`);
  }
  // viem throws this for JSON that is not an object.
  if (error instanceof UnknownRpcError) {
    return new EndpointError('faulty', `${label} answered with something that is no JSON-RPC.`);
  }
  return new EndpointError('unreachable', `${label} cannot be reached${code === undefined ? '' : ` (${code})`}.`);
};
