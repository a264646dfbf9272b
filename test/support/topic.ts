import type { Database } from '../../src/db/database.js';
import { insertChange, invalidationOf } from '../../src/store/change.js';
import { TOPICS } from '../../src/store/tag.js';
import { insertTopicRun, type NewTopic } from '../../src/store/topic/topic.js';

/** @returns a topic of one word as a run stores it */
export const newTopic = (slug: string, authors: readonly number[] = []): NewTopic => ({
  slug,
  name: slug,
  query: `"${slug}"`,
  topLevelTopic: 'music',
  summary: null,
  authors,
});

/** Stores a run as the job does, with its change row. @param changed invalidates caches of the process */
export const storeTopics = async (
  db: Database,
  topics: readonly NewTopic[],
  changed: (invalidation: ReturnType<typeof invalidationOf>) => void,
  at = new Date(),
): Promise<void> => {
  const invalidation = invalidationOf([TOPICS]);
  await db.transaction(async (session) => {
    await insertTopicRun(session, at, topics);
    await insertChange(session, invalidation);
  });
  changed(invalidation);
};
