import type { Database } from '../db/database.js';
import type { Session, Tag } from '../db/statement.js';
import { INVALIDATE_ALL, type Invalidation, insertChange, invalidationOf } from './change.js';

/** A change with more tags invalidates everything, which is cheaper. */
const MAX_TAGS = 1000;

/** What a write outside of ingest needs that finds out only inside its transaction what it changes. */
export interface TaggedWriter {
  readonly db: Database;
  /** Invalidates the caches of this process. */
  readonly changed: (invalidation: Invalidation) => void;
}

/** Makes changes in one transaction with the invalidation of what they changed. @param work adds the tags to the set */
export const taggedTransaction = async <T>(
  { db, changed }: TaggedWriter,
  work: (session: Session, tags: Set<Tag>) => Promise<T>,
): Promise<T> => {
  let invalidation: Invalidation | undefined;
  try {
    return await db.transaction(async (session) => {
      const tags = new Set<Tag>();
      const result = await work(session, tags);
      invalidation = tags.size > MAX_TAGS ? INVALIDATE_ALL : invalidationOf([...tags]);
      if (tags.size > 0) await insertChange(session, invalidation);
      return result;
    });
  } finally {
    // Also after an error: if the connection breaks during the commit, the data may have been written.
    if (invalidation !== undefined) changed(invalidation);
  }
};
