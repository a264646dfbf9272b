import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { currentFile, noteLease, noteRelease } from './database-lease.js';
import { type DatabaseReset, prepareReset } from './database-reset.js';
import { copyEmbeddedTemplate, SHARED_FOLDER_VARIABLE } from './template.js';

/**
 * Embedded databases that the test files of one process use in turn. Opening one takes a second of processor time, and
 * PostgreSQL starts each with empty caches; emptying one takes a twentieth of that.
 */
interface SharedDatabase {
  readonly db: Database;
  readonly reset: DatabaseReset;
}

/** A database that nobody else uses until it is released. */
export interface DatabaseLease {
  readonly db: Database;
  /**
   * Empties the database for the next test file.
   * @throws Error when the test left something that cannot be undone; the database is not used again then
   */
  release(): Promise<void>;
}

/** More than one is needed by files that compare two services. */
const MOST_IDLE = process.env.CASTELLAN_TEST_SHARED === '0' ? 0 : 2;

const idle: SharedDatabase[] = [];

const open = async (): Promise<SharedDatabase> => {
  const dataDir = join(await mkdtemp(join(process.env[SHARED_FOLDER_VARIABLE] ?? tmpdir(), 'process-')), 'database');
  await copyEmbeddedTemplate(dataDir);
  const db = await openEmbedded({ dataDir });
  return { db, reset: await prepareReset(db) };
};

/** @returns the database as its user sees it: once released, it takes no more statements */
const guarded = (db: Database, isReleased: () => boolean): Database => {
  const check = <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    ((...args: Args): Result => {
      if (isReleased()) throw new Error('a statement was sent after the database had been released');
      return call(...args);
    }) as typeof call;
  return {
    ...db,
    run: check(db.run),
    select: check(db.select),
    read: check(db.read),
    script: check(db.script),
    writeWithPriority: check(db.writeWithPriority),
    transaction: check(db.transaction),
    vacuum: check(db.vacuum),
    analyze: check(db.analyze),
    close: async () => undefined,
  };
};

/** Lends an empty, migrated, embedded database. Its `close` does nothing: `release` ends its use. */
export const leaseDatabase = async (): Promise<DatabaseLease> => {
  const shared = idle.pop() ?? (await open());
  const file = currentFile();
  let isReleased = false;
  const lease: DatabaseLease = {
    db: guarded(shared.db, () => isReleased),
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      noteRelease(lease);
      try {
        await shared.reset();
      } catch (error) {
        await shared.db.close();
        throw new Error(`${file} left something behind: ${(error as Error).message}`, { cause: error });
      }
      if (idle.length < MOST_IDLE) idle.push(shared);
      else await shared.db.close();
    },
  };
  noteLease(lease);
  return lease;
};
