import type { Database } from '../db/database.js';
import type { Session, Tag } from '../db/statement.js';
import { INVALIDATE_ALL, type Invalidation, insertChange, invalidationOf } from './change.js';

/** A change with more tags invalidates everything, which is cheaper. */
const MAX_TAGS = 1000;

/** What a write outside of ingest needs that finds out only inside its transaction what it changes. */
export interface InvalidatingWriter {
  readonly db: Database;
  /** Invalidates the caches of this process. */
  readonly changed: (invalidation: Invalidation) => void;
}

/**
 * Makes changes in one transaction with their invalidation. Caches of this process are invalidated before it resolves,
 * those of other processes at their next poll (src/cache/freshness.ts).
 * @param work returns its result and what it invalidates
 */
export const invalidatingTransaction = async <T>(
  { db, changed }: InvalidatingWriter,
  work: (session: Session) => Promise<readonly [result: T, invalidation: Invalidation]>,
): Promise<T> => {
  let decided: Invalidation | undefined;
  try {
    return await db.transaction(async (session) => {
      const [result, invalidation] = await work(session);
      if (!invalidation.all && invalidation.tags.length === 0) return result;
      decided = invalidation;
      await insertChange(session, invalidation);
      return result;
    });
  } finally {
    // Also after an error: if the connection breaks during the commit, the data may have been written.
    if (decided !== undefined) changed(decided);
  }
};

/** Writes in one transaction with an invalidation that is known before: of bans, mutes, seen marks, memberships. */
export type WriteAndInvalidate = <T>(invalidation: Invalidation, work: (session: Session) => Promise<T>) => Promise<T>;

export const createWriteAndInvalidate =
  (writer: InvalidatingWriter): WriteAndInvalidate =>
  (invalidation, work) =>
    invalidatingTransaction(writer, async (session) => [await work(session), invalidation]);

/** Makes changes in one transaction with the invalidation of what they changed. @param work adds the tags to the set */
export const taggedTransaction = <T>(
  writer: InvalidatingWriter,
  work: (session: Session, tags: Set<Tag>) => Promise<T>,
): Promise<T> =>
  invalidatingTransaction(writer, async (session) => {
    const tags = new Set<Tag>();
    const result = await work(session, tags);
    return [result, tags.size > MAX_TAGS ? INVALIDATE_ALL : invalidationOf([...tags])];
  });
