import pg from 'pg';
import type { Param } from '../store/database.js';
import type { ProbeConnection } from './probe.js';

/** Milliseconds after which it is opened anew: settings of the database count for new connections alone. */
const RENEWED_AFTER = 30_000;

/** @returns a probe of a server, on a connection of its own that is opened when it is first used. */
export const openPostgresProbe = (options: pg.ClientConfig): ProbeConnection => {
  let isClosed = false;
  let open: { readonly client: Promise<pg.Client>; readonly at: number } | undefined;

  const reset = async (): Promise<void> => {
    const last = open;
    open = undefined;
    await last?.client.then((client) => client.end()).catch(() => undefined);
  };

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client(options);
    // What breaks it is told by the statement that is under way, or by the next one.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };

  return {
    reset,
    close: () => {
      isClosed = true;
      return reset();
    },
    run: async <Row>(text: string, params: readonly Param[] = []) => {
      if (isClosed) throw new Error('this connection was closed for good');
      if (open && performance.now() - open.at > RENEWED_AFTER) await reset();
      open ??= { client: connect(), at: performance.now() };
      try {
        return (await (await open.client).query(text, params as unknown[])).rows as Row[];
      } catch (error) {
        await reset();
        throw error;
      }
    },
  };
};
