import pg from 'pg';
import { isConnectionLost } from './commit-outcome.js';
import { isReadOnly } from './failure.js';

/** A statement as the driver takes it. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

interface Opening {
  readonly client: pg.Client;
  /** Fulfilled when the session is set up. */
  readonly ready: Promise<unknown>;
}

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
