import type pg from 'pg';

/** Keeps a lost connection of the pool from ending the process; its next statement reports the loss. */
export const ignoreLosses = (pool: pg.Pool): void => {
  pool.on('error', () => undefined);
  // The pool removes its own listener when it hands out a client, and the loss may be in the same packet that made the
  // client ready, before any other listener can be added.
  pool.on('connect', (client) => client.on('error', () => undefined));
};
