import type { Touched } from '../store/change.js';
import { deleteOldChanges } from '../store/change-read.js';
import type { Database } from '../store/database.js';
import type { Job } from './schedule.js';
import { scoreAccounts } from './score.js';

const MINUTE_MS = 60_000;

/** What the service does by itself, beside answering and reading. */
export const jobList = (parts: {
  readonly db: Database;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Tells caches of this process what a job wrote. */
  readonly changed: (touched: Touched) => void;
}): readonly Job[] => [
  {
    name: 'score',
    everyMs: 60 * MINUTE_MS,
    run: async (signal) => {
      await scoreAccounts({ db: parts.db, now: parts.clock(), changed: parts.changed, signal });
    },
  },
  // What autovacuum does on a server.
  { name: 'vacuum', everyMs: 60 * MINUTE_MS, run: () => parts.db.vacuum() },
  {
    name: 'forget-changes',
    everyMs: 10 * MINUTE_MS,
    run: async () => {
      await deleteOldChanges(parts.db);
    },
  },
];
