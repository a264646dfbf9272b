import { type Invalidation, insertChange } from '../store/change.js';
import type { Database, Session } from '../store/database.js';
import type { Freshness } from './freshness.js';

/** Writes what does not come in through ingest and decides what lists show: bans, mutes, what was seen. */
export type Change = <T>(invalidation: Invalidation, work: (session: Session) => Promise<T>) => Promise<T>;

/**
 * @returns a function that runs `work` in one transaction together with its invalidation, so that caches of this process
 *   know before it is fulfilled, and those of others as soon as they look (src/cache/freshness.ts).
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
      // Also after a failure: a connection lost while it commits leaves open whether it was written.
      freshness.invalidate(invalidation);
    }
  };
