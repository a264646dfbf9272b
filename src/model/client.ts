import type { Secret } from '../config/secret.js';
import { callEndpoint } from '../delivery/endpoint.js';
import { OutboundError } from '../delivery/outbound-error.js';

/** Why a language model gave no usable answer. The message contains neither the key nor what was asked. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

export interface ModelQuestion {
  /** Fixed words of this program; what users wrote belongs into `data`. */
  readonly instruction: string;
  /** Sent as JSON in a user message. */
  readonly data: unknown;
  /** Limit of the answer in characters (UTF-16 units); the rest is cut off. */
  readonly maxCharacters: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

/** A language model that answers questions with text. */
export interface Model {
  readonly name: string;
  /**
   * Asks once, without retrying, because each call may cost money.
   * @returns text without control characters, except line feeds and tabs; never empty
   * @throws ModelError if the endpoint cannot be reached, takes longer than `MODEL_TIMEOUT_MS`, redirects, responds with
   *   another status than 200, with more than 64 KiB, or without text
   * @throws the reason of `signal` when it is aborted
   */
  ask(question: ModelQuestion): Promise<string>;
  /** Ends calls in progress, and refuses others, with ModelError. */
  stop(): void;
}

/** Time limit of one call: from connecting to the last byte. */
export const MODEL_TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024;
/** @param base with or without `/v1`. @returns the URL of chat completions (OpenAI API reference, "Chat") */
const completionsUrl = (base: string): URL => new URL(`${base}${base.endsWith('/v1') ? '' : '/v1'}/chat/completions`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Surrogates without their other half; a cut may leave one, too. */
const HALF_CHARACTERS = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** @returns the text without controls and marks that change the direction of text, cut between characters */
export const cleanText = (text: string, maxCharacters: number): string =>
  text.replace(CONTROLS, '').trim().slice(0, maxCharacters).replace(HALF_CHARACTERS, '').trim();

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
}

/** @returns `choices[0].message.content` of a chat completion. @throws ModelError */
const contentOf = (json: string): string => {
  let content: unknown;
  try {
    content = (JSON.parse(json) as Completion | null)?.choices?.[0]?.message?.content;
  } catch {
    throw new ModelError('The language model answered something that is not JSON.');
  }
  if (typeof content !== 'string') throw new ModelError('The language model answered without a text.');
  return content;
};

const exchange = async (url: URL, body: string, key: Secret | undefined, signal: AbortSignal): Promise<string> => {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key && { authorization: `Bearer ${key.reveal()}` }),
  };
  const response = await callEndpoint({ method: 'POST', url, headers, body, maxBytes: MAX_BYTES, signal });
  if (response.status !== 200) throw new ModelError(`The language model answered ${response.status}.`);
  return response.body.toString('utf8');
};

/**
 * Calls an endpoint with the interface of OpenAI. The operator configured its address, so unlike addresses given by users
 * it may be in a private network.
 * @param config `url` without a trailing slash
 * @param timeoutMs limit of one call; tests shorten it
 */
export const createModel = (
  config: { readonly url: string; readonly name: string; readonly key: Secret | undefined },
  timeoutMs = MODEL_TIMEOUT_MS,
): Model => {
  const url = completionsUrl(config.url);
  const stopping = new AbortController();
  return {
    name: config.name,
    stop: () => stopping.abort(),
    ask: async ({ instruction, data, maxCharacters, signal }) => {
      const body = JSON.stringify({
        model: config.name,
        messages: [
          { role: 'system', content: instruction },
          { role: 'user', content: JSON.stringify(data) },
        ],
        // A token is about four characters of English, and one of Chinese.
        max_tokens: maxCharacters,
        stream: false,
      });
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const any = AbortSignal.any([timeout, stopping.signal, ...(signal === undefined ? [] : [signal])]);
        const text = cleanText(contentOf(await exchange(url, body, config.key, any)), maxCharacters);
        if (text === '') throw new ModelError('The language model answered with an empty text.');
        return text;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ModelError) throw error;
        if (error instanceof OutboundError) {
          throw new ModelError(error.message.replace('The target', 'The language model'));
        }
        if (stopping.signal.aborted) throw new ModelError('The service stops.');
        if (timeout.aborted) throw new ModelError(`The language model took longer than ${timeoutMs / 1000} s.`);
        throw new ModelError('The language model cannot be reached.', { cause: error });
      }
    },
  };
};
