import type { Reads } from '../../cache/read-cache.js';
import type { Database } from '../../db/database.js';
import type { Log } from '../../log.js';

/** @returns the reading side of a service without its caches, for a command that renders what the service sends */
export const openReads = async (db: Database, log: Log): Promise<Reads> => {
  const [{ createFreshness }, { createReads }] = await Promise.all([
    import('../../cache/freshness.js'),
    import('../../cache/read-cache.js'),
  ]);
  return createReads({
    db,
    cacheBytes: 0,
    // Never started: nothing is cached.
    freshness: createFreshness({ db, pollMs: 0 }),
    clock: Date.now,
    dialect: 'neutral',
    report: (entity, err) => log.error({ err, entity }, 'an entity that cannot be rendered is left out'),
  });
};
