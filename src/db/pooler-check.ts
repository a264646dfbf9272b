import type pg from 'pg';
import { parseDatabaseUrl } from '../config/database-url.js';
import { AppError } from '../error.js';
import { createPooler, createServer, type Server } from './server/server.js';
import { WORK } from './server/session-kind.js';

/** The same for all sessions of one database of one server. */
const PLACE = `select extract(epoch from pg_postmaster_start_time())::text as "started", current_database() as "database"`;
const STATEMENT = 'castellan_pooler_check';

const connect = async (server: Server): Promise<pg.Client> => {
  const { Client, ...config } = server.config(WORK);
  const client = new Client(config);
  // The awaited call reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** The messages of the driver for the other address would not say that it is this one. */
const connectDirectly = async (directUrl: string): Promise<pg.Client> => {
  try {
    return await connect(createServer(parseDatabaseUrl(directUrl)));
  } catch (error) {
    const message = `The server of CASTELLAN_DIRECT_URL cannot be reached (${(error as Error).message}): check that address, and that it runs.`;
    throw new AppError('unavailable', 'DirectServerAway', message, { cause: error });
  }
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

/** A pooler that keeps the statements of its clients apart gives them names of its own. */
const requirePreparedStatements = async (pooled: pg.Client): Promise<void> => {
  await pooled.query('begin');
  await pooled.query({ name: STATEMENT, text: 'select 1' });
  const { rowCount } = await pooled.query('select from pg_prepared_statements where name = $1', [STATEMENT]);
  await pooled.query('rollback');
  if (rowCount === 0) return;
  throw new AppError(
    'conflict',
    'PoolerWithoutStatements',
    'The pooler at DATABASE_URL does not keep the prepared statements of its clients apart. Use PgBouncer 1.21 or newer, and set pool_mode = transaction and max_prepared_statements = 1000 there.',
  );
};

/**
 * Checks what would otherwise fail later, and not always.
 * @param url of a pooler in transaction mode
 * @param directUrl of its server
 * @throws AppError that says what to change; the driver's error if the pooler does not let a client in
 */
export const checkPooler = async (url: string, directUrl: string): Promise<void> => {
  const clients: pg.Client[] = [];
  try {
    const pooled = await connect(createPooler(parseDatabaseUrl(url)));
    clients.push(pooled);
    await requirePreparedStatements(pooled);
    const direct = await connectDirectly(directUrl);
    clients.push(direct);
    await requireOnePlace(pooled, direct);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
};
