import pg from 'pg';
import { columnTypes } from './client-type.js';
import type { Database, Param, Session, Statement } from './database.js';
import { isDatabaseAway } from './failure.js';
import { kyselyOver } from './kysely-session.js';
import { runTransaction } from './transaction.js';

/** Two pipelined connections answered 64,000-90,000 point reads a second where a pool of eight did 42,000. */
const READERS = 2;

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** Connections for transactions; the readers come on top. */
  readonly poolSize: number;
  /** Milliseconds after which PostgreSQL gives up on a statement of a reader. */
  readonly statementTimeout?: number;
}

/** One shared connection on which many reads are under way at once; opened again after it broke. */
class Reader {
  readonly #options: pg.ClientConfig;
  #client: Promise<pg.Client> | undefined;

  constructor(options: pg.ClientConfig) {
    this.#options = options;
  }

  async query(config: { name?: string; text: string; values: unknown[] }): Promise<pg.QueryResult> {
    try {
      return await (await this.#connected()).query(config);
    } catch (error) {
      // A read has no effect, so one that died with its connection may be sent again on a new one.
      if (!isDatabaseAway(error)) throw error;
      return (await this.#connected()).query(config);
    }
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#options);
    const forget = () => {
      this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      // Reads are short, many at once, and stop as soon as a page is full: compiling their plans or handing them to
      // workers costs more than they do, and workers would upset the order in which parts of a list are asked.
      await client.query('set jit = off; set max_parallel_workers_per_gather = 0');
    } catch (error) {
      forget();
      throw error;
    }
    return client;
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }
}

/**
 * Opens a PostgreSQL server: reads go over a few shared pipelined connections as prepared statements,
 * transactions over pooled connections of their own. Connects lazily; nothing is thrown here.
 */
export const openPostgres = (options: PostgresOptions): Database => {
  const shared = { connectionString: options.url, types: columnTypes, connectionTimeoutMillis: 5_000, keepAlive: true };
  const pool = new pg.Pool({ ...shared, max: options.poolSize });
  // An idle client that loses its server must not end the process; the next use reports it.
  pool.on('error', () => undefined);
  const openReader = () =>
    new Reader({
      ...shared,
      pipeline: true,
      statement_timeout: options.statementTimeout ?? 30_000,
    } as pg.ClientConfig);
  const readers = Array.from({ length: READERS }, openReader);
  const urgent = openReader();
  let turn = 0;
  const reader = (): Reader => readers[turn++ % READERS] as Reader;
  const send = (text: string, params: readonly unknown[]) => reader().query({ text, values: params as unknown[] });
  const session: Session = {
    kysely: kyselyOver(send),
    run: async <Row>(text: string, params: readonly Param[] = []) => (await send(text, params)).rows as Row[],
    read: async <Row>({ name, text, isUrgent }: Statement<Row>, params: readonly Param[]) =>
      (await (isUrgent ? urgent : reader()).query({ name, text, values: params as unknown[] })).rows as Row[],
    script: async (text) => {
      await pool.query(text);
    },
  };
  return {
    ...session,
    kind: 'postgres',
    transaction: (work) => runTransaction(pool, work),
    vacuum: async () => undefined,
    analyze: async () => undefined,
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await Promise.all([...[...readers, urgent].map((one) => one.close()), pool.end()]);
    },
  };
};
