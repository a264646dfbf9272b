import { type Address, BaseError, type Hex } from 'viem';
import { readNonce } from './account-nonce.js';
import { type FeeMarket, readFees } from './fee.js';
import type { ChainClient } from '../network.js';
import type { Call, Planned, SendFailure } from './sender.js';
import { cleanText } from '../text.js';

/** Estimates at a time: endpoints count requests by the second. */
const AT_ONCE = 25;

/** State moves between the estimate and the block: a quarter more than was needed. What is not used is not paid. */
const withMargin = (gas: bigint): bigint => gas + gas / 4n;

/** A call with its limit of gas, or why it is not sent. */
export type Prepared = { readonly call: Call; readonly gas: bigint } | SendFailure;

/** What the chain is believed within. */
export interface Limits {
  /** Wei for each unit of gas. */
  readonly maxFee: bigint;
  /** The wallet's next nonce as it is kept; undefined before its first use. */
  readonly nonce: number | undefined;
}

/** What is read of the chain before anything is locked or signed. */
export interface Preparation {
  readonly slots: readonly Prepared[];
  readonly fees: FeeMarket;
  /** Next nonce of the account as the chain has it, with what waits in the pool. */
  readonly pendingNonce: number;
}

/** @returns what `work` makes of each item, in order, a few at a time. */
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
/** Longest text of a node that is kept, in characters. */
const MAX_WORDS = 200;

const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value);

/** What the contract reverted with: nodes put it into `data`, some one level deeper. */
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

/** @throws the error where it says nothing of the call */
const failureOf = (error: unknown): SendFailure => {
  if (!(error instanceof BaseError)) throw error;
  const said = (error.walk((one) => typeof (one as { code?: unknown }).code === 'number') ?? error) as BaseError;
  const words = said.details || said.shortMessage;
  const message = cleanText(words, MAX_WORDS);
  if (FUNDS.test(words)) return { failure: { code: 'InsufficientFunds', message } };
  const revert = revertOf(error);
  if (revert === undefined && !REVERT.test(words)) throw error;
  return { failure: { code: 'Reverted', message, ...(revert && { revert }) } };
};

const estimate = async (client: ChainClient, from: Address, planned: Planned): Promise<Prepared> => {
  if ('failure' in planned) return planned;
  const { to, data, value, gas } = planned;
  if (gas !== undefined) return { call: planned, gas };
  try {
    const needed = await client.estimateGas({ account: from, data, value, ...(to && { to }) });
    return { call: planned, gas: withMargin(needed) };
  } catch (error) {
    return failureOf(error);
  }
};

const lacking = (from: Address, missing: bigint): SendFailure => {
  const message = `The wallet ${from} lacks ${missing} wei for this transaction and those before it: send it more.`;
  return { failure: { code: 'InsufficientFunds', message } };
};

/** Nodes refuse what an account cannot pay at the highest price, and would leave a gap where the rest was taken. */
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
 * Reads what it takes to send calls: fees and balance once, a limit of gas for each call.
 * @returns for each planned call, in order, the call or why it cannot be sent
 * @throws AppError where the network does not answer, or with things that are not believed: FeeTooHigh for one
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
    mapInBatches(planned, AT_ONCE, (one) => estimate(client, from, one)),
  ]);
  return { fees, pendingNonce, slots: withinFunds(slots, from, balance, fees.maxFee) };
};
