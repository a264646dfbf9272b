import type { Duplex } from 'node:stream';
import pg from 'pg';
import { isConnectionLost } from '../store/commit-outcome.js';
import { isReadOnly } from '../store/failure.js';

/** A statement as the driver takes it. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
  /** Set: rows arrive as arrays. */
  readonly rowMode?: 'array';
}

interface Opening {
  readonly client: pg.Client;
  /** Fulfilled when the session is set up. */
  readonly ready: Promise<unknown>;
}

/** Connections whose statements are collected until the end of this turn. */
const collecting = new WeakSet<Duplex>();

/** Sends all statements of one turn of the event loop in one write: each write is a call of the system. */
const collectWrites = (client: pg.Client): void => {
  const { stream } = client.connection;
  if (collecting.has(stream)) return;
  collecting.add(stream);
  stream.cork();
  process.nextTick(() => {
    collecting.delete(stream);
    stream.uncork();
  });
};

/** One shared connection on which many statements are under way at once; opened again after it broke. */
export class PipelinedClient {
  readonly #options: pg.ClientConfig;
  readonly #settings: string;
  #current: Opening | undefined;

  /** @param settings statements that set up each new session */
  constructor(options: pg.ClientConfig, settings: string) {
    this.#options = options;
    this.#settings = settings;
  }

  /** Sends a statement once. @throws the driver's error when it fails, or when the connection does meanwhile */
  async query(query: Query): Promise<pg.QueryResult> {
    this.#current ??= this.#open();
    const used = this.#current;
    try {
      await used.ready;
      collectWrites(used.client);
      return await used.client.query({ ...query });
    } catch (error) {
      // The server's farewell may answer a statement long before the socket closes: what is sent until then would fail.
      // A session in which a write met a read-only database stays read-only when the database is writable again.
      if (isConnectionLost(error) || isReadOnly(error)) this.#drop(used);
      throw error;
    }
  }

  #open(): Opening {
    const client = new pg.Client({ ...this.#options, pipeline: true } as pg.ClientConfig);
    const ready = client.connect().then(() => client.query(this.#settings));
    const opening = { client, ready };
    client.on('error', () => this.#drop(opening));
    client.on('end', () => this.#drop(opening));
    ready.catch(() => this.#drop(opening));
    return opening;
  }

  /** Has the next statement open another connection, unless one replaced this already. */
  #drop(opening: Opening): void {
    if (this.#current !== opening) return;
    this.#current = undefined;
    opening.client.end().catch(() => undefined);
  }

  async close(): Promise<void> {
    const { client, ready } = this.#current ?? {};
    await ready?.catch(() => undefined);
    await client?.end();
  }
}
