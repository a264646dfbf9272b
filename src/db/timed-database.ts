import type { Database } from './database.js';

/** What was done in the database: a read, a write of one statement, or a transaction. */
type DatabaseWork = 'read' | 'write' | 'transaction';

type Observe = (work: DatabaseWork, seconds: number) => void;

/** @param observe receives how long each call took, in seconds */
export const timedCall =
  (observe: Observe) =>
  async <T>(work: DatabaseWork, call: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      return await call();
    } finally {
      observe(work, (performance.now() - startedAt) / 1000);
    }
  };

/**
 * @param observe receives how long each call took, with the wait for a connection, in seconds
 * @returns the same database; methods of the given one that are replaced later are called, too
 */
export const timedDatabase = (db: Database, observe: Observe): Database => {
  const timed = timedCall(observe);
  return {
    ...db,
    read: (statement, params, caller) => timed('read', () => db.read(statement, params, caller)),
    select: (sql, params) => timed('read', () => db.select(sql, params)),
    run: (sql, params) => timed('write', () => db.run(sql, params)),
    writeWithPriority: (statement, params) => timed('write', () => db.writeWithPriority(statement, params)),
    transaction: (work) => timed('transaction', () => db.transaction(work)),
  };
};
