import { NoConnectionFree } from '../caller-queue.js';
import { isDatabaseUnavailable, isLockedTooLong, isRetryable, sqlState } from '../failure.js';
import { NotReplayed } from './session.js';

/**
 * Why a response was read from the primary: no replica is in use (`none`); none had replayed what it needs in time
 * (`behind`); the replay of the log cancelled a statement (`conflict`), or locked a table for it (`locked`); the replica
 * could not be reached, or shut down (`lost`); its user may not read there (`refused`).
 */
export type FallbackReason = 'none' | 'behind' | 'conflict' | 'locked' | 'lost' | 'refused';

/** "insufficient_privilege": PostgreSQL's appendix A. */
const NO_PERMISSION = '42501';

/** @returns why a read that failed at a replica is sent to the primary; undefined: it would fail there, too */
export const fallbackReason = (error: unknown): FallbackReason | undefined => {
  if (error instanceof NotReplayed) return 'behind';
  // It has waited for its turn as long as it may.
  if (error instanceof NoConnectionFree) return undefined;
  // A conflict with the replay of the log is a serialization failure, or a deadlock.
  if (isRetryable(error)) return 'conflict';
  if (isLockedTooLong(error)) return 'locked';
  if (sqlState(error) === NO_PERMISSION) return 'refused';
  return isDatabaseUnavailable(error) ? 'lost' : undefined;
};
