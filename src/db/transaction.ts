import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { checkClient, checkQuery } from './client-check.js';
import { isConnectionLost, OutcomeUnknownError } from './commit-outcome.js';
import { isReadOnly, isRetryable } from './failure.js';
import { type Param, type Session, type Sql, type Statement, textOf } from './statement.js';

const ATTEMPTS = 3;

/** A client of the pool used by one caller only. */
interface Lease {
  readonly client: PoolClient;
  /** Whether a new connection may take its place; the embedded database has only one. */
  readonly isReplaceable: boolean;
  /** Why the client can no longer be used. */
  lost?: Error;
}

/** Sends a statement that stores nothing by itself. */
const sendOn = async (lease: Lease, query: QueryConfig): Promise<QueryResult> => {
  try {
    return await lease.client.query(query);
  } catch (error) {
    if (lease.isReplaceable && isConnectionLost(error)) lease.lost ??= error as Error;
    throw error;
  }
};

const sessionOn = (lease: Lease): Session => {
  const run = async <Row>(sql: Sql<Row> | string, params: readonly Param[] = []) =>
    (await sendOn(lease, { text: textOf(sql), values: params as unknown[] })).rows as Row[];
  return {
    run,
    select: run,
    read: async <Row>({ name, text }: Statement<Row>, params: readonly Param[]) =>
      (await sendOn(lease, { name, text, values: params as unknown[] })).rows as Row[],
    script: async (text: string) => {
      await sendOn(lease, { text });
    },
  };
};

/**
 * Lends a client of the pool to `work`. A client in a read-only session is not reused after a write.
 * @throws the driver's error when no client is available; nothing was sent then
 */
const withClient = async <T>(pool: Pool, work: (lease: Lease) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  const lease: Lease = { client, isReplaceable: pool.options.connectionString !== undefined };
  // Only this event reports a connection that is lost while no query is in progress.
  const onLoss = (error: Error): void => {
    lease.lost ??= error;
  };
  client.on('error', onLoss);
  try {
    return await work(lease);
  } catch (error) {
    if (isReadOnly(error) && lease.isReplaceable) lease.lost ??= error as Error;
    throw error;
  } finally {
    client.off('error', onLoss);
    client.release(lease.lost);
  }
};

/**
 * Sends a commit, or a statement that is its own transaction, once.
 * @throws OutcomeUnknownError when the connection breaks before the response
 */
const sendCommitting = async <T>(lease: Lease, send: (client: PoolClient) => Promise<T>): Promise<T> => {
  // A commit sent over a lost connection would fail as one that may have arrived.
  if (lease.lost) throw lease.lost;
  try {
    return await send(lease.client);
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    lease.lost ??= error as Error;
    throw new OutcomeUnknownError(error);
  }
};

/**
 * Sends one statement that is its own transaction, only once.
 * @throws OutcomeUnknownError when the connection breaks before PostgreSQL responds
 */
export const runStatement = (pool: Pool, text: string, params: readonly Param[]): Promise<QueryResult> =>
  withClient(pool, async (lease) => {
    await checkClient(lease.client);
    return sendCommitting(lease, (client) => client.query(text, params as unknown[]));
  });

const runOnce = <T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> =>
  withClient(pool, async (lease) => {
    const { client } = lease;
    try {
      await sendOn(lease, lease.isReplaceable ? checkQuery('begin') : { text: 'begin' });
      const result = await work(sessionOn(lease));
      await sendCommitting(lease, () => client.query('commit'));
      return result;
    } catch (error) {
      // A lost connection would not respond to it either; the server rolls back when it notices the loss.
      if (!lease.lost) {
        await client.query('rollback').catch((failure: Error) => {
          lease.lost ??= failure;
        });
      }
      throw error;
    }
  });

/**
 * Runs `work` in a transaction on a client of the pool; repeats it after a deadlock.
 * @throws OutcomeUnknownError when the connection breaks during the commit; after any other error it is rolled back
 */
export const runTransaction = async <T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, work);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
};
