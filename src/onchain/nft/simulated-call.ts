import type { Address, Hex } from 'viem';
import type { Rejection } from './mint-revert.js';

/** A call as it would be sent. */
export interface SimulatedCall {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Gas limit, so that one called contract cannot use up the gas of the other calls. */
  readonly gas: bigint;
}

/** Gas that the call uses, or why it would fail. */
export type Simulated = { readonly gas: bigint } | { readonly rejection: Rejection };

/** Sender balance for simulated calls: large enough for any value without overflowing 256 bits. */
export const UNLIMITED_BALANCE = 2n ** 255n;
