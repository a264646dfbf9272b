import { createFreshness, type Freshness } from '../../src/hydrate/freshness.js';
import { createHydrate, type Hydrate } from '../../src/hydrate/hydrate.js';
import { ListCache } from '../../src/hydrate/list-cache.js';
import type { Database } from '../../src/store/database.js';

/**
 * The reading side over a test database. On the embedded one its caches are trusted at once; on a server not before
 * `freshness.start()`.
 */
export const openTestHydrate = (
  db: Database,
  cacheBytes: number,
): { readonly hydrate: Hydrate; readonly lists: ListCache; readonly freshness: Freshness } => {
  const freshness = createFreshness({ db, pollMs: 50 });
  return {
    hydrate: createHydrate({
      db,
      cacheBytes,
      freshness,
      report: (entity, cause) => {
        throw new Error(`${entity} cannot be rendered`, { cause });
      },
    }),
    lists: new ListCache(freshness, cacheBytes),
    freshness,
  };
};

export interface WatchedDatabase {
  readonly db: Database;
  /** Names of the prepared statements sent since the last call. */
  sent(): string[];
  /** Holds back the answers of this statement, which the database gives at once, until the returned call. */
  hold(statementName: string): () => void;
}

/** The same database, its prepared reads watched. */
export const watchDatabase = (inner: Database): WatchedDatabase => {
  const names: string[] = [];
  const gates = new Map<string, Promise<void>>();
  const read: Database['read'] = async (statement, params) => {
    names.push(statement.name);
    const gate = gates.get(statement.name);
    const rows = await inner.read(statement, params);
    await gate;
    return rows;
  };
  return {
    db: new Proxy(inner, { get: (target, name) => (name === 'read' ? read : Reflect.get(target, name)) }),
    sent: () => names.splice(0),
    hold: (statementName) => {
      let open: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      gates.set(statementName, gate);
      return () => {
        gates.delete(statementName);
        open();
      };
    },
  };
};
