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

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const cutConnections = (url: string): Promise<void> =>
  elsewhere(url, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [nameOf(url)]);

/**
 * Makes a database refuse writes with 25006, or take them again. On a server, connections are cut when it begins and stay
 * when it ends, as connections to a former primary do; those of a pooler are cut then, too (its command RECONNECT).
 */
export const setReadOnly = async (
  { db, url }: Pick<TestDatabase, 'db' | 'url'>,
  isReadOnly: boolean,
): Promise<void> => {
  const value = isReadOnly ? 'on' : 'off';
  if (url === undefined) {
    await db.run(`set default_transaction_read_only = ${value}`);
    return;
  }
  await elsewhere(url, `alter database ${nameOf(url)} set default_transaction_read_only = ${value}`);
  if (isReadOnly || process.env.TEST_POOLER_URL !== undefined) await cutConnections(url);
};

/** Makes a server refuse connections to a database with 55000 and cuts those that are open, or take them again. */
export const setRejectingWrites = async (url: string, isRejecting: boolean): Promise<void> => {
  await elsewhere(url, `alter database ${nameOf(url)} allow_connections ${!isRejecting}`);
  if (isRejecting) await cutConnections(url);
};
