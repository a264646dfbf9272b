import { BaseError, type Hex, HttpRequestError, ResponseBodyTooLargeError, RpcRequestError } from 'viem';
import { cleanText } from './text.js';

/**
 * What became of a request to an endpoint: `ok`, `error` (the chain said no, as to a call that reverts), and why the
 * endpoint was of no use: `rate_limited`, `timeout`, `unreachable`, `refused` (its key does not count), `faulty` (it
 * answered with something else), `wrong_chain`, `unsupported` (another one may know the method).
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
  | 'unsupported';

/** An endpoint was of no use for a request: another one may be. Says nothing of its address. */
export class EndpointFault extends BaseError {
  readonly outcome: Exclude<RpcOutcome, 'ok' | 'error'>;
  /** Milliseconds after which the endpoint wants to be asked again. */
  readonly retryAfter: number | undefined;
  /** What the endpoint said, where it spoke JSON-RPC. */
  readonly answer: RpcRequestError | undefined;

  constructor(
    outcome: EndpointFault['outcome'],
    message: string,
    options: { readonly retryAfter?: number | undefined; readonly answer?: RpcRequestError } = {},
  ) {
    super(message, { name: 'EndpointFault' });
    this.outcome = outcome;
    this.retryAfter = options.retryAfter;
    this.answer = options.answer;
  }
}

/** -32005 is EIP-1474's; the others are providers' own (as viem lists them in its `shouldRetry`). */
const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([-32_005, -32_007, 429]);
/** EIP-1474: method not found, method not supported. */
const UNSUPPORTED_CODES: ReadonlySet<number> = new Set([-32_601, -32_004]);
/** EIP-1474: parse error, internal error, resource not found, resource unavailable. */
const FAULT_CODES: ReadonlySet<number> = new Set([-32_700, -32_603, -32_001, -32_002]);

const RATE_LIMIT_WORDS = /rate.?limit|too many requests|request limit|compute units|capacity/i;
/** EIP-1474's limit exceeded, under which endpoints also tell that a search of events finds too many of them. */
const LIMIT_EXCEEDED = -32_005;
const SEARCH_WORDS = /\bresults?\b|\blogs?\b|\brange\b/i;
/** A node that lags behind, or lacks old state, says so under the code -32000 that also means a bad transaction. */
const FAULT_WORDS =
  /header not found|missing trie node|unknown block|not synced|syncing|timed? ?out|temporarily|upstream/i;
/** A transaction pool that is full says "temporarily"; a contract may revert with any words. */
const REVERT_WORDS = /revert|gas required exceeds/i;

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

/** @returns milliseconds of a Retry-After header in seconds; dates are too rare to be worth reading. */
const retryAfterOf = (headers: Headers | undefined): number | undefined => {
  const text = headers?.get('retry-after');
  return text && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined;
};

const outcomeOfStatus = (status: number): EndpointFault['outcome'] => {
  if (status === 429) return 'rate_limited';
  return status === 401 || status === 402 || status === 403 ? 'refused' : 'faulty';
};

const REVERTED_CODE = 3;

/** @returns what a contract reverted with: plain, in an object of its own, or behind a word (as some nodes have it). */
const revertDataOf = ({ data }: RpcErrorObject): Hex | undefined => {
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  const [, found] = typeof inner === 'string' ? (/^(?:Reverted )?(0x[0-9a-f]*)$/i.exec(inner) ?? []) : [];
  return found as Hex | undefined;
};

/** Statuses with which the endpoint, and not the chain, says no: to who asks, or because it is broken. */
const isOwnStatus = (status: number): boolean => status === 401 || status === 402 || status === 403 || status >= 500;

const outcomeOfError = (
  status: number,
  { code, message }: RpcErrorObject,
  revertData: Hex | undefined,
): EndpointFault['outcome'] | undefined => {
  if (status === 429) return 'rate_limited';
  // Whoever carries what a contract reverted with was run by the chain.
  if (code === REVERTED_CODE || revertData !== undefined) return undefined;
  if (isOwnStatus(status)) return outcomeOfStatus(status);
  if (REVERT_WORDS.test(message)) return undefined;
  if (code === LIMIT_EXCEEDED && SEARCH_WORDS.test(message) && !RATE_LIMIT_WORDS.test(message)) return undefined;
  if (RATE_LIMIT_CODES.has(code) || RATE_LIMIT_WORDS.test(message)) return 'rate_limited';
  if (UNSUPPORTED_CODES.has(code)) return 'unsupported';
  return FAULT_CODES.has(code) || FAULT_WORDS.test(message) ? 'faulty' : undefined;
};

/** Enough for what nodes say of a call; nobody reads more. */
const MAX_WORDS = 1000;

/** What came over HTTP, before anybody believes it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
}

/**
 * Reads a JSON-RPC answer.
 * @param label names the endpoint without its address
 * @param redact takes the endpoint's secrets out of what it says
 * @throws RpcRequestError where the chain said no, EndpointFault where the endpoint is of no use
 */
export const readAnswer = (
  { status, headers, data }: RawAnswer,
  body: { readonly method: string; readonly params?: unknown },
  label: string,
  redact: (text: string) => string,
): unknown => {
  const { error, result } = (data ?? {}) as { error?: unknown; result?: unknown };
  const retryAfter = retryAfterOf(headers);
  if (!isErrorObject(error)) {
    if (status >= 200 && status < 300 && result !== undefined) return result;
    if (status < 300) throw new EndpointFault('faulty', `${label} answered with something that is no JSON-RPC.`);
    throw new EndpointFault(outcomeOfStatus(status), `${label} answered with status ${status}.`, { retryAfter });
  }
  const revertData = revertDataOf(error);
  const message = cleanText(redact(error.message), MAX_WORDS);
  // Other data than what a contract said is in no form that is known here, and may have the address.
  const told = { code: error.code, message, ...(revertData && { data: revertData }) };
  const answer = new RpcRequestError({ body: body as { [key: string]: unknown }, error: told, url: label });
  const outcome = outcomeOfError(status, error, revertData);
  if (outcome === undefined) throw answer;
  throw new EndpointFault(outcome, `${label} answered with the error ${error.code}.`, { retryAfter, answer });
};

/** The system's own words for why no connection came about, found below what `fetch` throws. */
const systemCode = (error: unknown): string | undefined => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  }
  return undefined;
};

/** @returns the fault that something thrown by the HTTP client stands for; nothing of its text, which has the address. */
export const faultOf = (error: unknown, label: string): EndpointFault => {
  if (error instanceof EndpointFault) return error;
  if (error instanceof HttpRequestError && error.status !== undefined) {
    const retryAfter = retryAfterOf(error.headers);
    return new EndpointFault(outcomeOfStatus(error.status), `${label} answered with status ${error.status}.`, {
      retryAfter,
    });
  }
  if (error instanceof ResponseBodyTooLargeError) {
    return new EndpointFault('faulty', `${label} answered with more than 10 MB.`);
  }
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) {
    return new EndpointFault('timeout', `${label} did not answer in time.`);
  }
  const code = systemCode(error);
  if (error instanceof HttpRequestError && code === undefined && error.walk((one) => one instanceof SyntaxError)) {
    return new EndpointFault('faulty', `${label} answered with something that is no JSON.`);
  }
  return new EndpointFault('unreachable', `${label} cannot be reached${code === undefined ? '' : ` (${code})`}.`);
};
