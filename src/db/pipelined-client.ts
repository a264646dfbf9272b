import type { Duplex } from 'node:stream';
import pg from 'pg';
import { isConnectionLost } from './commit-outcome.js';
import { isReadOnly } from './failure.js';

/** A statement in the driver's form. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

interface Opening {
  readonly client: pg.Client;
  /** Resolves when the session is set up. */
  readonly ready: Promise<unknown>;
}

/** Connections whose statements are collected until the end of this turn of the event loop. */
const collecting = new WeakSet<Duplex>();

/** Sends all statements of one turn of the event loop in one write, because each write is a system call. */
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

/** A shared connection with many concurrent statements, which is reopened after it breaks. */
export class PipelinedClient {
  readonly #options: pg.ClientConfig;
  readonly #settings: string;
  readonly #opened: ((client: pg.Client) => void) | undefined;
  #current: Opening | undefined;

  /**
   * @param settings statements that set up each new session
   * @param opened called with each new session, after its statements were sent
   */
  constructor(options: pg.ClientConfig, settings: string, opened?: (client: pg.Client) => void) {
    this.#options = options;
    this.#settings = settings;
    this.#opened = opened;
  }

  /** Sends a statement once. @throws the driver's error when the statement or the connection fails */
  async query(query: Query): Promise<pg.QueryResult> {
    this.#current ??= this.#open();
    const used = this.#current;
    try {
      await used.ready;
      collectWrites(used.client);
      return await used.client.query({ ...query });
    } catch (error) {
      // The server may announce its shutdown long before the socket closes, and later statements would fail. A session
      // in which a write was rejected as read-only stays read-only when the database becomes writable.
      if (isConnectionLost(error) || isReadOnly(error)) this.#drop(used);
      throw error;
    }
  }

  #open(): Opening {
    const client = new pg.Client({ ...this.#options, pipeline: true } as pg.ClientConfig);
    const ready = client.connect().then(() => client.query(this.#settings));
    const opening = { client, ready };
    ready.then(() => this.#opened?.(client)).catch(() => undefined);
    client.on('error', () => this.#drop(opening));
    client.on('end', () => this.#drop(opening));
    ready.catch(() => this.#drop(opening));
    return opening;
  }

  /** Makes the next statement open a new connection, unless another call already did. */
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
