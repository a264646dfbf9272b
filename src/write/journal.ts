import type { Session } from '../store/database.js';

/**
 * Remembers what a request decided on, a message or transactions, so that the same request sent again does not write
 * another.
 */
export interface Journal {
  /** @returns the bytes that an earlier try decided on; undefined when this is the first. */
  recall(): Promise<Uint8Array | undefined>;
  /**
   * Decides for something before it is sent.
   * @param session the transaction that it is kept in; absent: one of its own
   * @returns the bytes that count: another process may have decided for the same request meanwhile
   */
  decide(bytes: Uint8Array, session?: Session): Promise<Uint8Array>;
  /** Takes the decision back: what was decided on was refused or came too late, and nothing of it is stored anywhere. */
  forget(bytes: Uint8Array): Promise<void>;
}
