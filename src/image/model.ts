import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { cleanText } from '../clean-text.js';
import type { ImageEndpoint } from '../config/image.js';
import type { Secret } from '../config/secret.js';
import { callEndpoint } from '../delivery/endpoint.js';
import { parseJson } from '../delivery/foreign-json.js';
import type { OutboundClient } from '../delivery/outbound.js';
import { AppError, invalidField } from '../error.js';
import type { ImageRequest } from './image.js';

interface Dependencies {
  readonly endpoint: ImageEndpoint;
  /** Fetches images that the model puts on other servers. */
  readonly outbound: OutboundClient;
}

/** The largest size that is asked for has 6 MiB before it is compressed. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Base64 takes a third more. */
const MAX_ANSWER_BYTES = 1.5 * MAX_IMAGE_BYTES;
/** What an answer says beside its image. */
const MAX_WORDS_BYTES = 64 * 1024;
const MAX_WORDS_VALUES = 1000;
const DOWNLOAD_TIMEOUT_MS = 30_000;
/** Of what the model says about a prompt that it refuses. */
const MAX_CHARACTERS = 300;

/** Sizes that the models of OpenAI accept, with width / height (https://platform.openai.com/docs/api-reference/images). */
const SIZES = [
  ['1024x1024', 1],
  ['1536x1024', 1.5],
  ['1024x1536', 2 / 3],
] as const;

/** @returns the size of the most similar shape */
export const modelSize = ({ width, height }: { readonly width: number; readonly height: number }): string => {
  const distance = (ratio: number): number => Math.abs(Math.log(width / height / ratio));
  return SIZES.reduce((best, one) => (distance(one[1]) < distance(best[1]) ? one : best))[0];
};

/** @param details for the operator's log; the prompt must not be part of them */
const failure = (message: string, details: string, cause?: unknown): AppError =>
  new AppError('internal', 'ImageModelFailed', `${message} Try again later.`, {
    cause: new Error(`the image model ${details}`, { cause }),
  });

/** @throws SyntaxError; RangeError for too much */
const parseWords = (body: Buffer): unknown => {
  if (body.length > MAX_WORDS_BYTES) throw new RangeError(`the answer has ${body.length} bytes beside its image`);
  return parseJson(body, MAX_WORDS_VALUES);
};

/** Words in the code or type of an error that say the model will not draw this, whoever asks. */
const REFUSAL = /moderation|content_?policy|content_?filter|safety|image_generation_user_error/i;

/** @returns '' for anything but a text or a number */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const plain = (value: unknown): string => cleanText(textOf(value), MAX_CHARACTERS);

/** @returns the error for a status other than 200 */
const errorOf = (status: number, body: Buffer, key: string | undefined): AppError => {
  let error: { message?: unknown; code?: unknown; type?: unknown } = {};
  try {
    error = (parseWords(body) as { error?: typeof error } | null)?.error ?? {};
  } catch {
    // Not every proxy answers in JSON; the status is enough.
  }
  const code = plain(error.code) || plain(error.type);
  if (status >= 400 && status < 500 && status !== 429 && REFUSAL.test(`${textOf(error.code)} ${textOf(error.type)}`)) {
    const words = plain(key === undefined ? error.message : textOf(error.message).replaceAll(key, '[secret]'));
    return invalidField('prompt', `The image model refused the prompt: ${words || code}`);
  }
  const reason = status === 429 ? 'has no capacity at the moment.' : `failed with status ${status}.`;
  return failure(`The image model ${reason}`, `answered ${status}${code && ` (${code})`}`);
};

const authorization = (key: Secret | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key.reveal()}` };

/** A body with its media type. */
interface Call {
  readonly type: string;
  readonly body: string | Buffer;
}

const jsonCall = (members: object): Call => ({ type: 'application/json', body: JSON.stringify(members) });

const formCall = async (members: object, sources: readonly Buffer[]): Promise<Call> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) form.append(name, String(value));
  for (const [index, source] of sources.entries()) {
    form.append('image[]', new Blob([new Uint8Array(source)], { type: 'image/png' }), `image-${index}.png`);
  }
  const encoded = new Response(form);
  return { type: encoded.headers.get('content-type') as string, body: Buffer.from(await encoded.arrayBuffer()) };
};

const post = async (
  { url, key, model, modelHigh }: ImageEndpoint,
  { prompt, highFidelity, width, height }: ImageRequest,
  sources: readonly Buffer[],
  signal: AbortSignal,
): Promise<Buffer> => {
  const members = {
    model: highFidelity ? (modelHigh ?? model) : model,
    prompt,
    n: 1,
    size: modelSize({ width, height }),
  };
  const call = sources.length === 0 ? jsonCall(members) : await formCall(members, sources);
  const response = await callEndpoint({
    method: 'POST',
    url: new URL(`${url}/images/${sources.length === 0 ? 'generations' : 'edits'}`),
    headers: { ...authorization(key), 'content-type': call.type },
    body: call.body,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  });
  if (response.status !== 200) throw errorOf(response.status, response.body, key?.reveal());
  return response.body;
};

/** Fetches an image that the model answered as an address. */
const download = async ({ endpoint, outbound }: Dependencies, url: URL, signal: AbortSignal): Promise<Buffer> => {
  if (url.origin !== new URL(endpoint.url).origin) {
    // The address comes from another program, so it must not lead into the operator's network.
    const { status, body } = await outbound.request({
      method: 'GET',
      url,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      maxBytes: MAX_IMAGE_BYTES,
    });
    if (status !== 200) throw new Error(`the server of the image answered ${status}`);
    return body;
  }
  const headers = authorization(endpoint.key);
  const { status, body } = await callEndpoint({ method: 'GET', url, headers, maxBytes: MAX_IMAGE_BYTES, signal });
  if (status !== 200) throw new Error(`the model answered ${status} for its image`);
  return body;
};

const garbage = (cause?: unknown): AppError =>
  failure('The image model sent no image.', 'answered without an image that can be read', cause);

/** Where the text of an image begins, written as every known server writes it. */
const IMAGE_NAME = '"b64_json"';
const IMAGE_START = /^\s*:\s*"/;

/**
 * @returns the first image as base64, and the answer with an empty text in its place. Parsing the image as JSON, too, would
 *   hold the loop for longer than all else that is done with it
 */
const takeImage = (answer: Buffer): { readonly base64: Buffer; readonly rest: Buffer } => {
  const none = { base64: Buffer.alloc(0), rest: answer };
  const name = answer.indexOf(IMAGE_NAME);
  if (name === -1) return none;
  const value = name + IMAGE_NAME.length;
  const start = IMAGE_START.exec(answer.toString('latin1', value, value + 16));
  if (start === null) return none;
  const from = value + start[0].length;
  const to = answer.indexOf('"', from);
  if (to === -1) return none;
  return { base64: answer.subarray(from, to), rest: Buffer.concat([answer.subarray(0, from), answer.subarray(to)]) };
};

const imageIn = (answer: Buffer): { readonly base64: string } | { readonly url: URL } => {
  try {
    const { base64, rest } = takeImage(answer);
    const { data } = parseWords(rest) as { data: [{ b64_json?: unknown; url?: unknown }] };
    const { b64_json: text, url } = data[0];
    if (typeof text !== 'string') return { url: new URL(url as string) };
    return { base64: text || base64.toString('latin1') };
  } catch (error) {
    throw garbage(error);
  }
};

/**
 * Calls the model once.
 * @param sources PNG images to edit
 * @returns the bytes that the model sent as an image; whether they are one is not checked
 * @throws AppError invalid with property `prompt` if the model refuses it; internal if it fails
 */
export const callModel = async (
  dependencies: Dependencies,
  request: ImageRequest,
  sources: readonly Buffer[],
  signal: AbortSignal,
): Promise<Buffer> => {
  try {
    const found = imageIn(await post(dependencies.endpoint, request, sources, signal));
    if ('url' in found) return await download(dependencies, found.url, signal);
    // A large image takes some milliseconds. A slash may have been written as `\/`: what is not base64 is passed over.
    await yieldToOthers();
    return Buffer.from(found.base64, 'base64');
  } catch (error) {
    if (signal.aborted || (error instanceof AppError && error.kind !== 'bad_gateway')) throw error;
    throw failure('The image model cannot be reached, or its image cannot be fetched.', 'cannot be reached', error);
  }
};

/** @returns the error for an answer of the model that is not an image */
export const unreadableImage = (cause: unknown): AppError => garbage(cause);
