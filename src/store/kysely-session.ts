import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SelectQueryNode,
} from 'kysely';
import type { Tables } from './tables.js';

/** Sends one compiled statement and answers rows and the number of rows it changed. */
export type Send = (text: string, params: readonly unknown[]) => Promise<{ rows: unknown[]; rowCount: number | null }>;

/** Where statements go: `select` to `read`, which may send it twice, everything else to `write`. */
interface Senders {
  readonly read: Send;
  readonly write: Send;
}

/**
 * Kysely's own PostgreSQL driver holds a client for each query, so that pipelining would do nothing.
 * This one only sends: who owns the connection and the transaction is decided by the session around it.
 */
class SendingDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor({ read, write }: Senders) {
    this.#connection = {
      executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
        const send = SelectQueryNode.is(query.query) ? read : write;
        const { rows, rowCount } = await send(query.sql, query.parameters);
        return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
      },
      streamQuery: () => {
        throw new Error('Rows are read in pages here, not streamed.');
      },
    };
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    throw new Error('Use Database.transaction: it owns the connection.');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** @returns a query builder whose queries go out through the senders. */
export const kyselyOver = (senders: Senders): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new SendingDriver(senders),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
