import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { openPostgres } from '../../src/db/postgres.js';
import { leaseDatabase } from './shared-database.js';
import { createMigratedDatabase, databaseUrl, onServer } from './template.js';

/** PostgreSQL server to test on (any database of it); absent: the embedded database. */
const serverUrl = process.env.TEST_DATABASE_URL;
/** Pooler of that server through which it is tested; absent: none. */
const poolerUrl = process.env.TEST_POOLER_URL;

export interface TestDatabase {
  readonly db: Database;
  /** postgres:// address of this database; undefined for the embedded one. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

const openEmbeddedDatabase = async (migrated: boolean): Promise<TestDatabase> => {
  if (!migrated) {
    const db = await openEmbedded({});
    // The build's template has the schema already.
    await db.script('drop schema public cascade; create schema public');
    return { db, url: undefined, drop: () => db.close() };
  }
  const { db, release } = await leaseDatabase();
  return { db, url: undefined, drop: release };
};

/** Opens a separate database for one test file, migrated by default. */
export const openTestDatabase = async (options: { migrated?: boolean } = {}): Promise<TestDatabase> => {
  const migrated = options.migrated !== false;
  if (serverUrl === undefined) return openEmbeddedDatabase(migrated);
  const name = `castellan_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  if (migrated) await createMigratedDatabase(serverUrl, name);
  else await onServer(serverUrl, `create database ${name}`);
  const url = databaseUrl(serverUrl, name);
  const address = poolerUrl === undefined ? { url } : { url: databaseUrl(poolerUrl, name), directUrl: url };
  const db = openPostgres({ ...address, poolSize: 4 });
  return {
    db,
    url,
    drop: async () => {
      await db.close();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
};
