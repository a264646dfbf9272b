import pg from 'pg';
import { CallerQueue } from './caller-queue.js';
import { checkClient } from './client-check.js';
import { isConnectionLost } from './commit-outcome.js';
import { isLockedTooLong, isTimedOut, sqlState } from './failure.js';
import type { Query } from './pipelined-client.js';
import { ignoreLosses } from './pool-loss.js';
import { SHARED_STATEMENT_TIMEOUT_MS } from './server/session-kind.js';

/** Milliseconds for which a slow statement, and one that waited for a lock, stay away from the shared connections. */
const SLOW_FOR_MS = 60_000;
const LOCKED_FOR_MS = 10_000;

type Check = (client: pg.PoolClient) => Promise<void>;

/** A statement whose preparation was given up does not exist for the executions that were sent behind it. */
const isUnprepared = (error: unknown): boolean => sqlState(error) === '26000';

/**
 * Sends reads over shared connections, unless they are slow: a statement that a shared connection gives up is sent
 * again over connections that it has to itself, and so are all executions of it in the minute after that.
 */
export class SlowReads {
  readonly #pool: pg.Pool;
  readonly #queue: CallerQueue;
  /** Statements by name or text, with the `performance.now()` until which they count as slow. */
  readonly #slowUntil = new Map<string, number>();

  /** @param config of connections of the kind SLOW_READS */
  constructor(config: pg.PoolConfig & { readonly max: number }) {
    this.#queue = new CallerQueue(config.max);
    this.#pool = new pg.Pool(config);
    ignoreLosses(this.#pool);
  }

  /**
   * @param send sends the statement over a shared connection
   * @param caller callers take turns at the other connections
   * @param check rejects if such a connection cannot be used; it is closed then
   * @throws the driver's error, NoConnectionFree, or what `check` throws
   */
  async query(
    query: Query,
    send: (query: Query) => Promise<pg.QueryResult>,
    caller = '',
    check: Check = checkClient,
  ): Promise<pg.QueryResult> {
    const key = query.name ?? query.text;
    const queryAlone = () => this.#queue.run(caller, () => this.#queryAlone(key, query, check));
    if (this.#isSlow(key)) return queryAlone();
    try {
      return await send(query);
    } catch (error) {
      if (isTimedOut(error)) this.#note(key, SLOW_FOR_MS);
      else if (isLockedTooLong(error)) this.#note(key, LOCKED_FOR_MS);
      else if (!isUnprepared(error)) throw error;
      return queryAlone();
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #isSlow(key: string): boolean {
    if (this.#slowUntil.size === 0) return false;
    const until = this.#slowUntil.get(key);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#slowUntil.delete(key);
    return false;
  }

  #note(key: string, ms: number): void {
    this.#slowUntil.set(key, performance.now() + ms);
  }

  async #queryAlone(key: string, query: Query, check: Check): Promise<pg.QueryResult> {
    const first = await this.#pool.connect();
    try {
      return await this.#queryOn(first, key, query, check);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
    return this.#queryOn(await this.#pool.connect(), key, query, check);
  }

  async #queryOn(client: pg.PoolClient, key: string, query: Query, check: Check): Promise<pg.QueryResult> {
    let began = performance.now();
    let loss: Error | undefined;
    let slowFor = SLOW_FOR_MS;
    let isUsable = false;
    try {
      await check(client);
      isUsable = true;
      began = performance.now();
      return await client.query({ ...query });
    } catch (error) {
      if (!isUsable || isConnectionLost(error)) loss = error as Error;
      if (isLockedTooLong(error)) slowFor = LOCKED_FOR_MS;
      throw error;
    } finally {
      if (performance.now() - began > SHARED_STATEMENT_TIMEOUT_MS) this.#note(key, slowFor);
      client.release(loss);
    }
  }
}
