import type { Session } from '../db/statement.js';

/**
 * Stores the decision of a request, a message or transactions, so that repeating the request does not write another
 * one.
 */
export interface IdempotencyRecord {
  /** @returns the bytes of an earlier decision; undefined for the first request */
  loadDecision(): Promise<Uint8Array | undefined>;
  /**
   * Stores a decision before it is sent.
   * @param session the transaction to store it in; absent: a separate one
   * @returns the decision that counts, which is another one if another process decided on the same request first
   */
  storeDecision(bytes: Uint8Array, session?: Session): Promise<Uint8Array>;
  /** Deletes the decision: it was rejected or superseded, and nothing of it is stored. */
  forget(bytes: Uint8Array): Promise<void>;
}
