import type { Pool, PoolClient } from 'pg';
import { isConnectionLost, OutcomeUnknownError } from '../store/commit-outcome.js';
import type { Param, Session, Statement } from '../store/database.js';
import { isReadOnly, isRetryable } from '../store/failure.js';
import { kyselyOver, type Send } from '../store/kysely-session.js';

const ATTEMPTS = 3;

/** A client of the pool that one caller has to itself. */
interface Lease {
  readonly client: PoolClient;
  /** Why the client can be used no more, once that is known. */
  lost?: Error;
}

/** @returns a session whose statements all go to this one client. */
const sessionOn = (client: PoolClient): Session => {
  const send: Send = (text, params) => client.query(text, params as unknown[]);
  const run = async <Row>(text: string, params: readonly Param[] = []) => (await send(text, params)).rows as Row[];
  return {
    kysely: kyselyOver({ read: send, write: send }),
    run,
    select: run,
    read: async <Row>({ name, text, rowMode }: Statement<Row>, params: readonly Param[]) =>
      (await client.query({ name, text, values: params as unknown[], ...(rowMode && { rowMode }) })).rows as Row[],
    script: async (text: string) => {
      await client.query(text);
    },
  };
};

/** The embedded database has one connection for good; another one to a server may find it writable again. */
const isReplaceable = (pool: Pool): boolean => pool.options.connectionString !== undefined;

/**
 * Lends a client of the pool to `work`. One on which a write met a read-only session is not used again.
 * @throws the driver's error when there is no client to be had: then nothing was sent
 */
const withClient = async <T>(pool: Pool, work: (lease: Lease) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  const lease: Lease = { client };
  // A connection that is lost while no query is under way says so only here.
  const onLoss = (error: Error): void => {
    lease.lost ??= error;
  };
  client.on('error', onLoss);
  try {
    return await work(lease);
  } catch (error) {
    if (isReadOnly(error) && isReplaceable(pool)) lease.lost ??= error as Error;
    throw error;
  } finally {
    client.off('error', onLoss);
    client.release(lease.lost);
  }
};

/**
 * Sends what commits, once.
 * @throws OutcomeUnknownError when the connection breaks before the answer comes
 */
const sendCommitting = async <T>(lease: Lease, send: (client: PoolClient) => Promise<T>): Promise<T> => {
  // Sent to a connection known to be lost, it would fail as one that may have arrived.
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
 * Sends one statement that is its own transaction, never twice.
 * @throws OutcomeUnknownError when the connection breaks before PostgreSQL answers
 */
export const runStatement: (pool: Pool, ...statement: Parameters<Send>) => ReturnType<Send> = (pool, text, params) =>
  withClient(pool, (lease) => sendCommitting(lease, (client) => client.query(text, params as unknown[])));

const runOnce = <T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> =>
  withClient(pool, async (lease) => {
    const { client } = lease;
    try {
      await client.query('begin');
      const result = await work(sessionOn(client));
      await sendCommitting(lease, () => client.query('commit'));
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        lease.lost ??= failure;
      });
      throw error;
    }
  });

/**
 * Runs `work` in a transaction on a client of the pool; a deadlock's victim is run again.
 * @throws OutcomeUnknownError when the connection breaks during the commit; with any other error it is rolled back
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
