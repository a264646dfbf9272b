import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../../src/store/database.js';
import { openEmbedded } from '../../src/db/embedded.js';
import { migrate } from '../../src/store/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';

/** PostgreSQL server to test on (any database of it); absent: the embedded database in memory. */
const serverUrl = process.env.TEST_DATABASE_URL;

const onServer = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

export interface TestDatabase {
  readonly db: Database;
  /** postgres:// address of this database; undefined for the embedded one. */
  readonly url: string | undefined;
  /** Closes it and removes it. */
  drop(): Promise<void>;
}

/** A database of its own for one test file, migrated unless told otherwise. */
export const openTestDatabase = async (options: { migrated?: boolean } = {}): Promise<TestDatabase> => {
  if (serverUrl === undefined) {
    const db = await openEmbedded({});
    if (options.migrated !== false) await migrate(db);
    return { db, url: undefined, drop: () => db.close() };
  }
  const name = `castellan_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(serverUrl, (client) => client.query(`create database ${name}`));
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const db = openPostgres({ url, poolSize: 4 });
  if (options.migrated !== false) await migrate(db);
  return {
    db,
    url,
    drop: async () => {
      await db.close();
      await onServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
};
