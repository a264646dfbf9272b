import type { ModelAddress } from '../config/model.js';
import { MODEL_TIMEOUT_MS, ModelError, openModelEndpoint } from './endpoint.js';

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

const MAX_BYTES = 64 * 1024;
/** An answer has one text, with some words about it. */
const MAX_VALUES = 10_000;
const WHO = 'The language model';

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
const contentOf = (completion: unknown): string => {
  const content = (completion as Completion | null)?.choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new ModelError(`${WHO} answered without a text.`);
  return content;
};

/**
 * @returns a model behind an endpoint with the interface of OpenAI's chat completions
 * @param timeoutMs limit of one call; tests shorten it
 */
export const createModel = (address: ModelAddress, timeoutMs = MODEL_TIMEOUT_MS): Model => {
  const endpoint = openModelEndpoint(address, { path: '/chat/completions', who: WHO, timeoutMs });
  return {
    name: address.name,
    stop: endpoint.stop,
    ask: async ({ instruction, data, maxCharacters, signal }) => {
      const body = {
        messages: [
          { role: 'system', content: instruction },
          { role: 'user', content: JSON.stringify(data) },
        ],
        // A token is about four characters of English, and one of Chinese.
        max_tokens: maxCharacters,
        stream: false,
      };
      const text = cleanText(
        contentOf(await endpoint.call(body, { maxBytes: MAX_BYTES, maxValues: MAX_VALUES, signal })),
        maxCharacters,
      );
      if (text === '') throw new ModelError(`${WHO} answered with an empty text.`);
      return text;
    },
  };
};
