import { BaseError } from 'viem';
import { afterCommit } from '../../db/commit-outcome.js';
import { AppError } from '../../error.js';
import type { Receipt } from './call.js';
import { mapInBatches } from './preparation.js';
import type { Sender } from './sender.js';

/**
 * Waits for the receipt of a sent transaction. If the endpoint fails, the request still succeeds and returns the hash: after
 * an error, a client would pay a second time.
 * @returns undefined if the transaction is not known to be mined
 */
export const receiptOf = async (sender: Sender, id: string, timeoutMs: number): Promise<Receipt | undefined> => {
  try {
    return await afterCommit(() => sender.receipt(id, timeoutMs));
  } catch (error) {
    if (error instanceof AppError || error instanceof BaseError) return undefined;
    throw error;
  }
};

/** Concurrent receipt lookups: endpoints limit requests by the second. */
const CONCURRENCY = 50;
/** Time after which no more receipts are looked up, because requests end within ten seconds. */
const LOOKUP_END_MS = 9000;

/**
 * Waits for the receipts of several transactions together.
 * @param ids of `Sent`
 * @param timeoutMs how long to wait for all of them
 * @returns in the order of the ids; undefined for a transaction that is not known to be mined
 */
export const receiptsOf = (
  sender: Sender,
  ids: readonly string[],
  timeoutMs: number,
): Promise<(Receipt | undefined)[]> => {
  const began = performance.now();
  return mapInBatches(ids, CONCURRENCY, async (id) => {
    const passed = performance.now() - began;
    if (passed > LOOKUP_END_MS) return undefined;
    // One poll serves all waiting transactions, so even after the time is over later batches find their receipts.
    return receiptOf(sender, id, Math.max(1, timeoutMs - passed));
  });
};
