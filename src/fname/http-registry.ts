import { callEndpoint } from '../delivery/endpoint.js';
import { AppError } from '../error.js';
import type { NameRegistry, NameTransfer, NameTransferRequest } from './registry.js';
import { rejectedName } from './rejection.js';

const TIMEOUT_MS = 5000;
const MAX_BYTES = 64 * 1024;
const HEX = /^0x([0-9a-fA-F]{2})+$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const unavailable = (cause: unknown): AppError =>
  new AppError('internal', 'NameRegistryUnavailable', 'The name registry does not answer. Try again shortly.', {
    cause,
  });

const isError = (body: unknown): boolean => typeof (body as { error?: unknown } | null)?.error === 'string';

/** @throws Error for another form */
const readTransfer = (body: unknown): NameTransfer => {
  const transfer = (body as { transfer?: Record<string, unknown> } | null)?.transfer;
  const { username, from, to, owner, timestamp, server_signature: signature } = transfer ?? {};
  const isText = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value);
  const numbers = [from, to, timestamp].every((number) => Number.isSafeInteger(number) && (number as number) >= 0);
  const texts = isText(owner, ADDRESS) && isText(signature, HEX);
  if (typeof username !== 'string' || !numbers || !texts)
    throw new Error('the name registry answered something else than a transfer');
  return {
    name: username,
    from: from as number,
    to: to as number,
    owner: owner as NameTransfer['owner'],
    timestamp: timestamp as number,
    serverSignature: signature as NameTransfer['serverSignature'],
  };
};

/**
 * A registry with the interface of the public one (farcasterxyz/fname-registry).
 * @param base its URL, without a trailing slash
 */
export const createHttpNameRegistry = (base: string): NameRegistry => {
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const { status, body: bytes } = await callEndpoint({
      method,
      url: new URL(`${base}${path}`),
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      maxBytes: MAX_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status, json: JSON.parse(bytes.toString('utf8')) as unknown };
  };

  return {
    current: async (name) => {
      try {
        const { status, json } = await call('GET', `/transfers/current?name=${encodeURIComponent(name)}`);
        // Any other 404 is one of a proxy or of a wrong address.
        if (status === 404 && isError(json)) return undefined;
        if (status !== 200) throw new Error(`the name registry answered ${status}`);
        return readTransfer(json);
      } catch (error) {
        throw unavailable(error);
      }
    },
    transfer: async (request: NameTransferRequest) => {
      let answer: Awaited<ReturnType<typeof call>>;
      try {
        answer = await call('POST', '/transfers', request);
        if (answer.status === 200) return readTransfer(answer.json);
        if (answer.status !== 400) throw new Error(`the name registry answered ${answer.status}`);
      } catch (error) {
        throw unavailable(error);
      }
      throw rejectedName((answer.json as { code?: unknown } | null)?.code, request.name);
    },
  };
};
