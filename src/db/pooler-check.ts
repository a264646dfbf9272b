import type pg from 'pg';
import { parseDatabaseUrl } from '../config/database-url.js';
import { AppError } from '../error.js';
import { sqlState } from './failure.js';
import type { ServerClientConfig } from './server/client.js';
import { createPooler, createServer } from './server/server.js';
import { WORK } from './server/session-kind.js';

/** The same for all sessions of one database of one server. */
const PLACE = `select pg_postmaster_start_time()::text as "started", current_database() as "database"`;
const STATEMENT = 'castellan_pooler_check';
/** No such prepared statement, and one of this name exists already. */
const MIXED_UP = new Set(['26000', '42P05']);

const connect = async (config: ServerClientConfig): Promise<pg.Client> => {
  const client = new config.Client(config);
  // The awaited call reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const requireOnePlace = async (pooled: pg.Client, direct: pg.Client): Promise<void> => {
  const [one, other] = await Promise.all([pooled, direct].map(async (client) => (await client.query(PLACE)).rows[0]));
  if (one.started === other.started && one.database === other.database) return;
  throw new AppError(
    'conflict',
    'OtherServer',
    'CASTELLAN_DIRECT_URL leads to another database than DATABASE_URL: it must be the address of the server behind that pooler, with the same database.',
  );
};

/** Two clients get the same session one after the other, unless others use the pooler at that moment. */
const requirePreparedStatements = async (clients: readonly pg.Client[]): Promise<void> => {
  try {
    for (const [at, client] of clients.entries()) await client.query({ name: STATEMENT, text: `select ${at}` });
  } catch (error) {
    if (!MIXED_UP.has(sqlState(error) ?? '')) throw error;
    throw new AppError(
      'conflict',
      'PoolerWithoutStatements',
      'The pooler at DATABASE_URL does not keep the prepared statements of its clients apart. Use PgBouncer 1.21 or newer, and set max_prepared_statements = 1000 there.',
    );
  }
};

/**
 * Checks what would otherwise fail later, and not always.
 * @param url of a pooler in transaction mode
 * @param directUrl of its server
 * @throws AppError `conflict` that says what to change; the driver's error if one of them does not let a client in
 */
export const checkPooler = async (url: string, directUrl: string): Promise<void> => {
  const pooler = createPooler(parseDatabaseUrl(url)).config(WORK);
  const server = createServer(parseDatabaseUrl(directUrl)).config(WORK);
  const clients: pg.Client[] = [];
  const open = async (config: ServerClientConfig): Promise<pg.Client> => {
    const client = await connect(config);
    clients.push(client);
    return client;
  };
  try {
    const pooled = [await open(pooler), await open(pooler)] as const;
    await requireOnePlace(pooled[0], await open(server));
    await requirePreparedStatements(pooled);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
};
