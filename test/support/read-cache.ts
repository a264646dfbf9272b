import { createFreshness, type Freshness } from '../../src/cache/freshness.js';
import { createReads, type Reads } from '../../src/cache/read-cache.js';
import type { Database } from '../../src/db/database.js';
import type { ReplicaPool } from '../../src/db/replica/pool.js';

/**
 * The reading side over a test database. On the embedded one its caches are trusted at once; on a server not before
 * `freshness.start()`.
 * @param cacheBytes 0: nothing is cached
 * @param options `clock` gives Unix milliseconds; `freshness` is the one of another reading side, which it shares;
 *   `replicas` are read from in the place of the database
 */
export const openTestReads = (
  db: Database,
  cacheBytes: number,
  options: {
    readonly clock?: () => number;
    readonly freshness?: Freshness;
    readonly replicas?: Pick<ReplicaPool, 'open'> | undefined;
  } = {},
): { readonly reads: Reads; readonly freshness: Freshness } => {
  const freshness = options.freshness ?? createFreshness({ db, pollMs: 50, unusedPollMs: 50 });
  const reads = createReads({
    db,
    replicas: options.replicas,
    freshness,
    cacheBytes,
    clock: options.clock ?? Date.now,
    dialect: 'neutral',
    report: (entity, cause) => {
      throw new Error(`${entity} cannot be rendered`, { cause });
    },
  });
  return { reads, freshness };
};

export interface WatchedDatabase {
  readonly db: Database;
  /** @returns the replicas, whose reads are watched, too */
  watch(replicas: ReplicaPool): Pick<ReplicaPool, 'open'>;
  /** Names of the prepared statements sent since the last call. */
  sent(): string[];
  /** Holds back the answers of this statement, which the database gives at once, until the returned call. */
  hold(statementName: string): () => void;
}

/** The same database, its prepared reads watched. */
export const watchDatabase = (inner: Database): WatchedDatabase => {
  const names: string[] = [];
  const gates = new Map<string, Promise<void>>();
  const watched = async <T>(name: string, send: () => Promise<T>): Promise<T> => {
    names.push(name);
    const gate = gates.get(name);
    const rows = await send();
    await gate;
    return rows;
  };
  const read: Database['read'] = (statement, params) => watched(statement.name, () => inner.read(statement, params));
  return {
    watch: (replicas) => ({
      open: () => {
        const reader = replicas.open();
        return {
          read: (statement, params, moment) => watched(statement.name, () => reader.read(statement, params, moment)),
        };
      },
    }),
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
