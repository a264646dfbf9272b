import type pg from 'pg';
import type { ProbeConnection } from './probe.js';
import type { ServerClientConfig } from './server/client.js';
import type { Param } from './statement.js';

/** Milliseconds after which it reconnects, because changed settings of the database only affect new connections. */
const RENEWED_AFTER = 30_000;

/** @returns a probe of a server with its own connection, which opens on first use */
export const openPostgresProbe = (options: ServerClientConfig): ProbeConnection => {
  let isClosed = false;
  let open: { readonly client: Promise<pg.Client>; readonly at: number } | undefined;

  const reset = async (): Promise<void> => {
    const last = open;
    open = undefined;
    await last?.client.then((client) => client.end()).catch(() => undefined);
  };

  const connect = async (): Promise<pg.Client> => {
    const client = new options.Client(options);
    // The current or next statement reports why the connection broke.
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
      // Not awaited: if the connection was lost without notice, its end takes a quarter of an hour.
      if (open && performance.now() - open.at > RENEWED_AFTER) void reset();
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
