import pg from 'pg';
import type { TestDatabase } from './database.js';

/** Sends one statement to another database of the same server, over a connection of its own. */
const elsewhere = async (url: string, sql: string, params: unknown[] = []): Promise<void> => {
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  await client.connect();
  try {
    await client.query(sql, params);
  } finally {
    await client.end();
  }
};

/**
 * Makes a database refuse writes with 25006, or take them again. A server does what a failover to a standby looks like:
 * the setting of the database changes, and with `terminate` every connection to it is cut.
 */
export const setReadOnly = async (
  { db, url }: Pick<TestDatabase, 'db' | 'url'>,
  isReadOnly: boolean,
  { terminate = isReadOnly } = {},
): Promise<void> => {
  const value = isReadOnly ? 'on' : 'off';
  if (url === undefined) {
    await db.run(`set default_transaction_read_only = ${value}`);
    return;
  }
  const name = new URL(url).pathname.slice(1);
  await elsewhere(url, `alter database ${name} set default_transaction_read_only = ${value}`);
  if (terminate) await elsewhere(url, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
};
