import { parseJson } from '../../delivery/foreign-json.js';
import type { OutboundClient, OutboundRequest } from '../../delivery/outbound.js';
import { OutboundError } from '../../delivery/outbound-error.js';
import { AppError } from '../../error.js';

/** Maximum length of the client's error message in ours. */
const MAX_MESSAGE_CHARACTERS = 300;
/** The body of an error is parsed up to here only: where a list is asked for, it may have as many megabytes. */
const MAX_ERROR = { bytes: 64 * 1024, values: 1000 } as const;
/** A client cannot keep the mirror away for longer with one answer. */
const MAX_PAUSE_SECONDS = 24 * 60 * 60;

/** A call in the name of an account; less than the 10 s of the request that it answers. */
const WRITE = { timeoutMs: 8000, maxBytes: 64 * 1024 } as const;

/** Calls the interface of a client (docs of the Farcaster client API). */
export interface ChannelClient {
  /**
   * Reads for the mirror. After an answer with Retry-After nothing is sent until then.
   * @param path with its query
   * @returns the body, JSON that is not parsed yet
   */
  read(path: string, limit: { readonly timeoutMs: number; readonly maxBytes: number }): Promise<Buffer>;
  /** @param token identifies the account in whose name the call is made */
  write(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object, token: string): Promise<void>;
}

/** @returns seconds until a retry makes sense (RFC 9110, 10.2.3); undefined without the header */
const retryAfterOf = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(MAX_PAUSE_SECONDS, Math.max(0, Math.ceil(seconds)));
};

const away = (cause: unknown, retryAfter?: number): AppError => {
  const message = 'The client that decides about channels does not answer at the moment. Try again shortly.';
  return new AppError('bad_gateway', 'ChannelClientAway', message, {
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
};

/** Whether an error says that the client cannot be asked now, rather than that it refused one call. */
export const isAway = (error: unknown): boolean => error instanceof AppError && error.kind === 'bad_gateway';

/** @returns what the body of an error says: `{errors: [{message}]}`, `{message}` or `{error}`; else its status */
const wordsOf = (status: number, body: Buffer): string => {
  try {
    if (body.length > MAX_ERROR.bytes) return `It answered ${status}.`;
    const { errors, message, error } = parseJson(body, MAX_ERROR.values) as Record<string, unknown>;
    const words = (errors as { message?: unknown }[] | undefined)?.[0]?.message ?? message ?? error;
    if (typeof words === 'string' && words !== '') return [...words].slice(0, MAX_MESSAGE_CHARACTERS).join('');
  } catch {
    // No JSON, or none with words.
  }
  return `It answered ${status}.`;
};

/** @returns the error for a status that is not 2xx */
const errorOf = (status: number, body: Buffer, retryAfter: number | undefined): AppError => {
  if (status === 429 || status >= 500) return away(new Error(`The client answered ${status}.`), retryAfter);
  const message = `The client that decides about channels refused: ${wordsOf(status, body)}`;
  return status === 401 || status === 403
    ? new AppError('forbidden', 'Forbidden', message)
    : new AppError('invalid', 'ChannelClientRefused', message);
};

/**
 * All methods throw AppError: bad_gateway if the client cannot be reached, is too slow, fails (5xx), or is asked too
 * often (429); forbidden for 401 and 403; invalid, with the client's words, for another 4xx.
 * @param dependencies `base` without a trailing slash; `clock` in Unix milliseconds
 */
export const createChannelClient = (dependencies: {
  readonly base: string;
  readonly outbound: OutboundClient;
  readonly clock: () => number;
}): ChannelClient => {
  const { base, outbound, clock } = dependencies;
  /** Unix milliseconds until which the mirror does not read. */
  let pausedUntil = 0;

  const send = async (request: OutboundRequest) => {
    try {
      return await outbound.request(request);
    } catch (error) {
      throw error instanceof OutboundError ? away(error) : error;
    }
  };

  return {
    read: async (path, limit) => {
      const pause = Math.ceil((pausedUntil - clock()) / 1000);
      if (pause > 0) throw away(new Error(`The client asked not to be called for another ${pause} s.`), pause);
      const url = new URL(base + path);
      const { status, headers, body } = await send({
        method: 'GET',
        url,
        headers: { accept: 'application/json' },
        ...limit,
      });
      if (status < 300) return body;
      const retryAfter = retryAfterOf(headers['retry-after'], clock());
      if (retryAfter !== undefined && (status === 429 || status >= 500)) pausedUntil = clock() + retryAfter * 1000;
      throw errorOf(status, body, retryAfter);
    },
    // A pause of the mirror does not concern accounts: clients limit each of them on its own.
    write: async (method, path, content, token) => {
      const { status, headers, body } = await send({
        method,
        url: new URL(base + path),
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(content),
        ...WRITE,
      });
      if (status >= 300) throw errorOf(status, body, retryAfterOf(headers['retry-after'], clock()));
    },
  };
};
