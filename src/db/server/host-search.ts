import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseUrl, SessionTarget } from '../../config/database-url.js';
import { sqlState } from '../failure.js';

/** Milliseconds in which a host must let a connection in; a host that is gone does not respond at all. */
const HOST_MS = 2_000;
/** Milliseconds between two rounds over all hosts while none fits. */
const PAUSE_MS = 100;
/** The user may not connect, or there is no such database: waiting does not help. */
const REFUSED = /^(?:28|3D)/;

/** Where a server is; `host` is a folder for a Unix socket. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** No host has a session as `target_session_attrs` wants it. Its code is PostgreSQL's "cannot_connect_now". */
class NoHostFits extends Error {
  override readonly name = 'NoHostFits';
  readonly code = '57P03';

  constructor(target: SessionTarget) {
    super(`none of the hosts is what target_session_attrs=${target} asks for`);
  }
}

/** Searches the hosts of an address for the one to connect to, which is another after a failover. */
export class HostSearch {
  readonly #target: SessionTarget;
  readonly #config: pg.ClientConfig;
  /** The one that was found last comes first: the others may be gone, and take time not to answer. */
  #urls: readonly string[];
  #round: Promise<Place> | undefined;

  /** @param config of connections, but for the address */
  constructor({ urls, target }: DatabaseUrl, config: pg.ClientConfig) {
    this.#urls = urls;
    this.#target = target;
    this.#config = config;
  }

  /**
   * Asks the hosts in turn until one fits, also after a time in which none did.
   * @param ms for which it goes on; the round that is under way then may take a few seconds more
   * @param isOver ends it earlier, after a round
   * @throws the last host's error, or NoHostFits
   */
  async find(ms: number, isOver: () => boolean): Promise<Place> {
    const until = performance.now() + ms;
    for (;;) {
      try {
        // Connections that open at the same time share a round.
        this.#round ??= this.#askAll().finally(() => {
          this.#round = undefined;
        });
        return await this.#round;
      } catch (error) {
        if (performance.now() > until || isOver() || REFUSED.test(sqlState(error) ?? '')) throw error;
      }
      await wait(PAUSE_MS);
    }
  }

  async #askAll(): Promise<Place> {
    let failure: unknown = new NoHostFits(this.#target);
    for (const url of this.#urls) {
      try {
        const place = await this.#ask(url);
        if (place === undefined) continue;
        this.#urls = [url, ...this.#urls.filter((other) => other !== url)];
        return place;
      } catch (error) {
        if (REFUSED.test(sqlState(error) ?? '')) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** @returns where the host is, undefined if it does not fit */
  async #ask(url: string): Promise<Place | undefined> {
    const client = new pg.Client({ ...this.#config, connectionString: url, connectionTimeoutMillis: HOST_MS });
    // Servers report these two by themselves, from PostgreSQL 14 on.
    const reported = new Map<string, string>();
    client.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      reported.set(parameterName, parameterValue);
    });
    // The awaited call reports it.
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (this.#target !== 'any' && reported.get('in_hot_standby') === 'on') return undefined;
      if (this.#target === 'read-write' && reported.get('default_transaction_read_only') === 'on') return undefined;
      return { host: client.host, port: client.port };
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
