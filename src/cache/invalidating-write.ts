import type { Database } from '../db/database.js';
import type { Session } from '../db/statement.js';
import { type Invalidation, insertChange } from '../store/change.js';
import type { Freshness } from './freshness.js';

/** Writes data outside of ingest that decides what lists show: bans, mutes, seen marks. */
export type Change = <T>(invalidation: Invalidation, work: (session: Session) => Promise<T>) => Promise<T>;

/**
 * @returns a function that runs `work` in one transaction with its invalidation. Caches of this process are invalidated
 * before it resolves, those of other processes at their next poll (src/cache/freshness.ts).
 */
export const createChange =
  (db: Database, freshness: Freshness): Change =>
  async (invalidation, work) => {
    try {
      return await db.transaction(async (session) => {
        const result = await work(session);
        await insertChange(session, invalidation);
        return result;
      });
    } finally {
      // Also after an error: if the connection breaks during the commit, the data may have been written.
      freshness.invalidate(invalidation);
    }
  };
