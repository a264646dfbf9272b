import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { withTimeout } from '../timeout.js';
import { isConnectionLost } from './commit-outcome.js';
import { isReadOnly } from './failure.js';
import type { ServerClientConfig } from './server/client.js';

/** A statement in the driver's form. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

interface SessionListeners {
  /** Called with each new session. */
  opened?(client: pg.Client): void;
  /** Called when a session broke or could not be opened, and why, before another one can be opened. */
  dropped?(error: Error): void;
}

interface Opening {
  readonly client: pg.Client;
  /** Resolves when the session is open. */
  readonly ready: Promise<unknown>;
}

/** Milliseconds that a connection has to open while everything is closed. */
const OPENING_MS = 1_000;

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
  readonly #options: ServerClientConfig;
  readonly #listeners: SessionListeners;
  #current: Opening | undefined;

  constructor(options: ServerClientConfig, listeners: SessionListeners = {}) {
    this.#options = options;
    this.#listeners = listeners;
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
      if (isConnectionLost(error) || isReadOnly(error)) this.#drop(used, error as Error);
      throw error;
    }
  }

  #open(): Opening {
    const client = new this.#options.Client({ ...this.#options, pipeline: true });
    const ready = client.connect();
    const opening = { client, ready };
    ready.then(() => this.#listeners.opened?.(client)).catch(() => undefined);
    client.on('error', (error) => this.#drop(opening, error));
    client.on('end', () => this.#drop(opening, new Error('the connection was closed')));
    ready.catch((error: Error) => this.#drop(opening, error));
    return opening;
  }

  /** Makes the next statement open a new connection, unless another call already did. */
  #drop(opening: Opening, error: Error): void {
    if (this.#current !== opening) return;
    this.renew();
    this.#listeners.dropped?.(error);
  }

  /** Makes the next statement open a new connection; this one ends when it has answered what was sent. */
  renew(): void {
    const last = this.#current;
    this.#current = undefined;
    last?.client.end().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#current === undefined) return;
    const { client, ready } = this.#current;
    // A connection that was ended while it was being opened would leave its statements without any result.
    await withTimeout(ready, OPENING_MS).catch(() => undefined);
    await client.end();
  }
}
