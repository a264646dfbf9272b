import { type Address, BaseError, type Hex } from 'viem';
import { cleanText } from '../../clean-text.js';
import type { ChainClient } from '../network.js';
import { readNonce } from './account-nonce.js';
import { MAX_MESSAGE_CHARACTERS } from './broadcast-result.js';
import type { Call, Planned, SendFailure } from './call.js';
import { type FeeMarket, readFees } from './fee.js';

/** Concurrent estimates: endpoints limit requests by the second. */
const CONCURRENCY = 25;

/** Adds a quarter, because the state may change until the transaction is mined. Unused gas is not paid. */
const withMargin = (gas: bigint): bigint => gas + gas / 4n;

/** A call with its gas limit, or why it is not sent. */
export type Prepared = { readonly call: Call; readonly gas: bigint } | SendFailure;

/** Plausibility limits for what an endpoint reports. */
export interface Limits {
  /** Wei per unit of gas. */
  readonly maxFee: bigint;
  /** The wallet's next nonce in the database; undefined before its first use. */
  readonly nonce: number | undefined;
}

/** What is read from the chain before any row is locked or anything is signed. */
export interface Preparation {
  readonly slots: readonly Prepared[];
  readonly fees: FeeMarket;
  /** The account's next nonce as the chain reports it, including its pool. */
  readonly pendingNonce: number;
}

/** @returns the results in the order of the items; `size` items are processed at a time */
export const mapInBatches = async <Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += size) {
    results.push(...(await Promise.all(items.slice(from, from + size).map(work))));
  }
  return results;
};

const FUNDS = /insufficient (funds|balance)|insufficientfunds|(out|lack) ?of ?funds|gas required exceeds allowance/i;
const REVERT = /revert/i;

const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value);

/** Finds the revert data in an error: nodes put it into `data`, some one level deeper. */
const revertOf = (error: BaseError): Hex | undefined => {
  let found: Hex | undefined;
  error.walk((one) => {
    const { data } = one as { data?: unknown };
    const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
    if (isHex(inner)) found = inner;
    return found !== undefined;
  });
  return found;
};

/**
 * @param error of a call, or of the estimate of its gas
 * @returns why the call would fail
 * @throws the error if it is not about the call itself
 */
export const callFailure = (error: unknown): SendFailure => {
  if (!(error instanceof BaseError)) throw error;
  const nodeError = (error.walk((one) => typeof (one as { code?: unknown }).code === 'number') ?? error) as BaseError;
  const words = nodeError.details || nodeError.shortMessage;
  const message = cleanText(words, MAX_MESSAGE_CHARACTERS);
  if (FUNDS.test(words)) return { failure: { code: 'InsufficientFunds', message } };
  const revert = revertOf(error);
  if (revert === undefined && !REVERT.test(words)) throw error;
  return { failure: { code: 'Reverted', message, ...(revert && { revert }) } };
};

/**
 * Estimates the gas of a call that has no gas limit.
 * @returns the call with its gas limit, or why it would fail
 * @throws what the client throws if the chain does not respond
 */
export const estimate = async (client: ChainClient, from: Address, planned: Planned): Promise<Prepared> => {
  if ('failure' in planned) return planned;
  const { to, data, value, gas } = planned;
  if (gas !== undefined) return { call: planned, gas };
  try {
    const needed = await client.estimateGas({ account: from, data, value, ...(to && { to }) });
    return { call: planned, gas: withMargin(needed) };
  } catch (error) {
    return callFailure(error);
  }
};

const lacking = (from: Address, missing: bigint): SendFailure => {
  const message = `The wallet ${from} lacks ${missing} wei for this transaction and those before it: send it more.`;
  return { failure: { code: 'InsufficientFunds', message } };
};

/**
 * Rejects the calls that the balance does not cover at the highest price. Nodes would reject them, too, and leave a
 * nonce gap before later ones.
 */
const withinFunds = (slots: readonly Prepared[], from: Address, balance: bigint, maxFee: bigint): Prepared[] => {
  let left = balance;
  return slots.map((slot) => {
    if ('failure' in slot) return slot;
    const cost = slot.gas * maxFee + slot.call.value;
    if (cost > left) return lacking(from, cost - left);
    left -= cost;
    return slot;
  });
};

/**
 * Reads fees, balance and nonce, and estimates the gas of each call.
 * @returns the calls in order, or why they cannot be sent
 * @throws AppError if the network does not respond, or with implausible values such as FeeTooHigh
 */
export const prepare = async (
  client: ChainClient,
  from: Address,
  planned: readonly Planned[],
  limits: Limits,
): Promise<Preparation> => {
  const [fees, balance, pendingNonce, slots] = await Promise.all([
    readFees(client, limits.maxFee),
    client.getBalance({ address: from }),
    readNonce(client, from, limits.nonce),
    mapInBatches(planned, CONCURRENCY, (one) => estimate(client, from, one)),
  ]);
  return { fees, pendingNonce, slots: withinFunds(slots, from, balance, fees.maxFee) };
};
