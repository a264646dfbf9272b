import { afterCommit } from '../../db/commit-outcome.js';
import { AppError } from '../../error.js';
import type { Receipt } from './call.js';
import type { Sender } from './sender.js';

/**
 * Waits for the receipt of a sent transaction. If the chain stops responding, the request still succeeds and returns
 * the hash.
 * @returns undefined if the transaction is not known to be mined
 */
export const receiptOf = async (sender: Sender, id: string, timeoutMs: number): Promise<Receipt | undefined> => {
  try {
    return await afterCommit(() => sender.receipt(id, timeoutMs));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
};
