import pg from 'pg';
import { type ServerClientConfig, serverClientType } from './client.js';
import type { ServerConnections } from './connections.js';
import type { SessionSettings } from './session-setting.js';

type Callback = (error: Error | null, result?: pg.QueryResult) => void;

/** @returns a statement that begins a transaction with these settings */
const beginWith = (settings: SessionSettings): string => {
  const { default_transaction_read_only: readOnly, ...others } = settings;
  const local = Object.entries(others).map(([name, value]) => `set local ${name} = ${value}`);
  return [readOnly === 'on' ? 'begin read only' : 'begin', ...local].join('; ');
};

/** The names that prepared statements have on one connection. */
class StatementNames {
  /** How often each could not be prepared. */
  readonly #failures = new Map<string, number>();

  /** @returns the query under the name that it has now */
  named(query: unknown): unknown {
    const name = (query as pg.QueryConfig).name;
    const failures = name === undefined ? undefined : this.#failures.get(name);
    return failures === undefined ? query : { ...(query as pg.QueryConfig), name: `${name} ${failures}` };
  }

  /**
   * Gives a query another name the next time. The server forgets a statement that it could not prepare; the pooler does
   * not, and ends a connection that prepares it again.
   * @param sent under which name it failed
   */
  failed(query: unknown, sent: unknown): void {
    const { name } = query as pg.QueryConfig;
    // Of executions that were sent together, the first has changed it for all.
    if (name === undefined || (this.named(query) as pg.QueryConfig).name !== (sent as pg.QueryConfig).name) return;
    this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
  }
}

/**
 * @param settings of each statement, which is a read and a transaction of its own then; without any, statements are sent as
 *   they are
 * @returns the type of connections to a pooler, where the next client to get a session would find the settings of the last
 *   one
 * @source https://www.pgbouncer.org/features.html
 */
export const poolerClientType = (
  connections: ServerConnections,
  settings: SessionSettings,
): ServerClientConfig['Client'] => {
  const hasSettings = Object.keys(settings).length > 0;
  const begin = beginWith(settings);
  return class extends serverClientType(connections) {
    readonly #names = new StatementNames();

    constructor(config: pg.ClientConfig = {}) {
      // The statements of a transaction are sent together.
      super(hasSettings ? { ...config, pipeline: true } : config);
    }

    override query(...args: unknown[]): never {
      const callback = typeof args.at(-1) === 'function' ? (args.pop() as Callback) : undefined;
      const response = this.#query(args);
      if (callback === undefined) return response as never;
      response.then((result) => callback(null, result), callback);
      return undefined as never;
    }

    async #query([query, ...values]: unknown[]): Promise<pg.QueryResult> {
      const named = this.#names.named(query);
      try {
        return await (hasSettings ? this.#sendInTransaction(named, ...values) : this.#send(named, ...values));
      } catch (error) {
        if (!this.#isPrepared(named)) this.#names.failed(query, named);
        throw error;
      }
    }

    #isPrepared(query: unknown): boolean {
      // The driver's own record, which its types lack.
      const { parsedStatements } = this.connection as unknown as { parsedStatements: Record<string, string> };
      return parsedStatements[(query as pg.QueryConfig).name ?? ''] !== undefined;
    }

    #send(...sent: unknown[]): Promise<pg.QueryResult> {
      return super.query(...sent);
    }

    /** Sends a statement without any work, for whose response nobody looks. */
    #sendAside(text: string): Promise<pg.QueryResult> {
      const query = pg.Client.prototype.query as (text: string) => Promise<pg.QueryResult>;
      return query.call(this, text);
    }

    /** Sends all three at once, so that they take one round trip. */
    async #sendInTransaction(...sent: unknown[]): Promise<pg.QueryResult> {
      const [began, response] = await Promise.allSettled([
        this.#sendAside(begin),
        this.#send(...sent),
        this.#sendAside('commit'),
      ]);
      if (began.status === 'rejected') throw began.reason;
      // It has read only: whether the commit arrived does not matter.
      if (response.status === 'rejected') throw response.reason;
      return response.value;
    }
  };
};
