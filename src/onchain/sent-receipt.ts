import { AppError } from '../error.js';
import { afterCommit } from '../store/commit-outcome.js';
import type { Receipt, Sender } from './transaction/sender.js';

/**
 * Waits for the receipt of a transaction that is on its way. A chain that stops answering meanwhile is no failure of
 * the request: what was sent was sent, and whoever asks is told the hash.
 * @returns undefined when it is not known to be mined
 */
export const receiptOf = async (sender: Sender, id: string, timeoutMs: number): Promise<Receipt | undefined> => {
  try {
    return await afterCommit(() => sender.receipt(id, timeoutMs));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
};
