import { BaseError, type Hex } from 'viem';

/** A balance for who sends in thought: enough for every value that fits beside others into 256 bits. */
export const ENDLESS = 2n ** 255n;

const REVERTED_CODE = 3;

/** The words of nodes for a call that needs more gas than it was given. */
const OUT_OF_GAS_WORDS = /out of gas|gas required exceeds/i;

/** @returns whether a call needs more gas than it may take, as the client was told. */
export const isOutOfGas = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((one) => OUT_OF_GAS_WORDS.test((one as Error).message)) !== null;

/**
 * @returns what a call reverted with, found in what the client threw (`data` is undefined where the endpoint keeps it);
 *   undefined when it was no revert
 */
export const revertOf = (error: unknown): { readonly data: Hex | undefined } | undefined => {
  if (!(error instanceof BaseError)) return undefined;
  const find = (is: (one: { readonly code?: unknown; readonly data?: unknown; readonly message: string }) => boolean) =>
    error.walk((one) => is(one as Error)) as { readonly data?: Hex } | null;
  const carrier = find(({ data }) => typeof data === 'string' && data.startsWith('0x'));
  if (carrier !== null) return { data: carrier.data };
  const said = find(({ code, message }) => code === REVERTED_CODE || /revert/i.test(message));
  return said === null ? undefined : { data: undefined };
};
