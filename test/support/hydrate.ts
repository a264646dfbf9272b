import { createFreshness, type Freshness } from '../../src/hydrate/freshness.js';
import { createHydrate, type Hydrate } from '../../src/hydrate/hydrate.js';
import type { Database } from '../../src/store/database.js';

/**
 * The reading side over a test database. On the embedded one its caches are trusted at once; on a server not before
 * `freshness.start()`.
 */
export const openTestHydrate = (
  db: Database,
  cacheBytes = 8 * 1024 * 1024,
): { hydrate: Hydrate; freshness: Freshness } => {
  const freshness = createFreshness({ db, pollMs: 50 });
  return { hydrate: createHydrate({ db, cacheBytes, freshness }), freshness };
};
