import type { Pool, PoolClient } from 'pg';
import type { Param, Session, Statement } from './database.js';
import { isRetryable } from './failure.js';
import { kyselyOver } from './kysely-session.js';

const ATTEMPTS = 3;

/** @returns a session whose statements all go to this one client. */
const sessionOn = (client: PoolClient): Session => {
  const send = (text: string, params: readonly unknown[]) => client.query(text, params as unknown[]);
  return {
    kysely: kyselyOver(send),
    run: async <Row>(text: string, params: readonly Param[] = []) => (await send(text, params)).rows as Row[],
    read: async <Row>(statement: Statement<Row>, params: readonly Param[]) =>
      (await client.query({ name: statement.name, text: statement.text, values: params as unknown[] })).rows as Row[],
    script: async (text: string) => {
      await client.query(text);
    },
  };
};

const runOnce = async <T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that is lost while no query is under way says so only here; without a listener it ends the process.
  const lost = (error: Error): void => {
    broken = error;
  };
  client.on('error', lost);
  try {
    await client.query('begin');
    const result = await work(sessionOn(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(lost);
    throw error;
  } finally {
    client.off('error', lost);
    client.release(broken);
  }
};

/** Runs `work` in a transaction on a client of the pool; a deadlock's victim is run again. */
export const runTransaction = async <T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, work);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
};
