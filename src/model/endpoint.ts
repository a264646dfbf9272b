import type { ModelAddress } from '../config/model.js';
import { callEndpoint } from '../delivery/endpoint.js';
import { parseJson } from '../delivery/foreign-json.js';
import { OutboundError } from '../delivery/outbound-error.js';

/** Why a model gave no usable answer. The message contains neither the key nor what was asked. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  /** @param options.isRefusal whether the endpoint refused what it was sent (400, 413, 422), so that it will again */
  constructor(message: string, options: ErrorOptions & { readonly isRefusal?: boolean } = {}) {
    super(message, options);
    this.isRefusal = options.isRefusal ?? false;
  }

  readonly isRefusal: boolean;
}

const REFUSALS: readonly number[] = [400, 413, 422];

/** Time limit of one call: from connecting to the last byte. */
export const MODEL_TIMEOUT_MS = 30_000;

interface CallOptions {
  readonly maxBytes: number;
  readonly maxValues: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ModelEndpoint {
  /**
   * Sends one request, without retrying, because each call may cost money.
   * @param body without the name of the model, which is added
   * @param options limits of the response; values are counted as by `parseJson`
   * @returns parsed JSON
   * @throws ModelError if the endpoint cannot be reached, takes longer than the limit, redirects, responds with another
   *   status than 200, with more bytes, or with something that is not JSON
   * @throws the reason of `signal` when it is aborted
   */
  call(body: object, options: CallOptions): Promise<unknown>;
  /** Ends calls in progress, and refuses others, with ModelError. */
  stop(): void;
}

const parse = (json: Buffer, maxValues: number, who: string): unknown => {
  try {
    return parseJson(json, maxValues);
  } catch {
    throw new ModelError(`${who} answered something that is not JSON, or too much of it.`);
  }
};

/**
 * An endpoint with the interface of OpenAI. The operator configured its address, so unlike addresses given by users it may
 * be in a private network.
 * @param path after `/v1`, such as `/chat/completions` (OpenAI API reference)
 * @param who begins the messages of errors: `The language model`
 * @param timeoutMs limit of one call
 */
export const openModelEndpoint = (
  { url: base, name, key }: ModelAddress,
  { path, who, timeoutMs }: { readonly path: string; readonly who: string; readonly timeoutMs: number },
): ModelEndpoint => {
  const url = new URL(`${base}${base.endsWith('/v1') ? '' : '/v1'}${path}`);
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key && { authorization: `Bearer ${key.reveal()}` }),
  };
  const stopping = new AbortController();
  const send = async (body: string, { maxBytes, maxValues }: CallOptions, signal: AbortSignal): Promise<unknown> => {
    const response = await callEndpoint({ method: 'POST', url, headers, body, maxBytes, signal });
    const { status } = response;
    if (status !== 200) throw new ModelError(`${who} answered ${status}.`, { isRefusal: REFUSALS.includes(status) });
    return parse(response.body, maxValues, who);
  };
  return {
    stop: () => stopping.abort(),
    call: async (body, options) => {
      const { signal } = options;
      const timeout = AbortSignal.timeout(timeoutMs);
      const any = AbortSignal.any([timeout, stopping.signal, ...(signal === undefined ? [] : [signal])]);
      try {
        return await send(JSON.stringify({ model: name, ...body }), options, any);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ModelError) throw error;
        if (error instanceof OutboundError) throw new ModelError(error.message.replace('The target', who));
        if (stopping.signal.aborted) throw new ModelError('The service stops.');
        if (timeout.aborted) throw new ModelError(`${who} took longer than ${timeoutMs / 1000} s.`);
        throw new ModelError(`${who} cannot be reached.`, { cause: error });
      }
    },
  };
};
