import { insertChange, type Touched } from '../store/change.js';
import type { Database, Session } from '../store/database.js';
import type { Freshness } from './freshness.js';

/** Writes what does not come in through ingest and decides what lists show: bans, mutes, what was seen. */
export type Change = <T>(touched: Touched, work: (session: Session) => Promise<T>) => Promise<T>;

/**
 * @returns a function that runs `work` in one transaction together with the news of it, so that caches of this process
 *   know before it is fulfilled, and those of others as soon as they look (src/hydrate/freshness.ts).
 */
export const createChange =
  (db: Database, freshness: Freshness): Change =>
  async (touched, work) => {
    try {
      return await db.transaction(async (session) => {
        const result = await work(session);
        await insertChange(session, touched);
        return result;
      });
    } finally {
      // Also after a failure: a connection lost while it commits leaves open whether it was written.
      freshness.touched(touched);
    }
  };
