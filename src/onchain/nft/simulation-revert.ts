import { BaseError, type Hex } from 'viem';

const REVERTED_CODE = 3;

/** Error messages of nodes for a call that exceeds its gas limit. */
const OUT_OF_GAS_PATTERN = /out of gas|gas required exceeds/i;

/** @returns whether an error of the client says that a call exceeds its gas limit */
export const isOutOfGas = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((one) => OUT_OF_GAS_PATTERN.test((one as Error).message)) !== null;

/**
 * @returns the revert data in an error of the client (`data` is undefined if the endpoint omits it); undefined if the
 *   error is not a revert
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
