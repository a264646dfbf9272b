import pg from 'pg';
import { parseDatabaseUrl } from '../../config/database-url.js';
import { CallerQueue } from '../caller-queue.js';
import type { Query } from '../pipelined-client.js';
import { ignoreLosses } from '../pool-loss.js';
import { closeWithin } from '../server/close-within.js';
import { createServer } from '../server/server.js';
import { PREPARED_READS, SEARCHES, SLOW_READS } from '../server/session-kind.js';
import { SlowReads } from '../slow-read.js';
import type { Param, Statement } from '../statement.js';
import type { Mark } from './mark.js';
import { replicaName } from './name.js';
import { ReplicaSession, requireReplayed } from './session.js';

/** Milliseconds for all connections to close, before those to the primary are: nobody waits for their reads any more. */
const CLOSE_MS = 2_500;

/** Connections to each replica, as to the primary. */
export interface ReplicaConnections {
  readonly readers: number;
  readonly slowReaders: number;
  readonly searchers: number;
}

/** A standby of the database, from which reads are answered. */
export interface Replica {
  /** `host:port`, for metrics and the log. */
  readonly name: string;
  readonly sessions: readonly ReplicaSession[];
  /**
   * Sends a read.
   * @param session one of `sessions`, which has reached the mark
   * @throws NotReplayed if another connection was needed, and leads to a server that is behind the mark; the driver's
   *   error; NoConnectionFree
   */
  read<Row>(
    by: { readonly session: ReplicaSession; readonly mark: Mark; readonly caller: string | undefined },
    statement: Statement<Row>,
    params: readonly Param[],
  ): Promise<Row[]>;
  closeSoon(): void;
  close(): Promise<void>;
}

/**
 * Connects on first use, so this throws nothing.
 * @param url of one host
 * @param changed called when one of the sessions has reached a mark, or can no longer be used
 */
export const createReplica = (url: string, numbers: ReplicaConnections, changed: () => void): Replica => {
  const server = createServer(parseDatabaseUrl(url));
  const reads = server.config(PREPARED_READS);
  const sessions = Array.from({ length: numbers.readers }, () => new ReplicaSession(reads, changed));
  const slowReads = new SlowReads({ ...server.config(SLOW_READS), max: numbers.slowReaders });
  const searches = new pg.Pool({ ...server.config(SEARCHES), max: numbers.searchers });
  ignoreLosses(searches);
  const searchQueue = new CallerQueue(numbers.searchers);

  const search = async (query: Query, mark: Mark): Promise<pg.QueryResult> => {
    const client = await searches.connect();
    let failure: Error | undefined;
    try {
      await requireReplayed(client, mark);
      return await client.query(query);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  };

  return {
    name: replicaName(reads.connectionString),
    sessions,
    read: async <Row>(
      { session, mark, caller }: { session: ReplicaSession; mark: Mark; caller: string | undefined },
      { name, text, isSearch, isPlannedEachTime }: Statement<Row>,
      params: readonly Param[],
    ) => {
      const unnamed = { text, values: params as unknown[] };
      const query = isPlannedEachTime ? unnamed : { name, ...unnamed };
      const result = isSearch
        ? searchQueue.run(caller ?? '', () => search(query, mark))
        : slowReads.query(
            query,
            (sent) => session.query(sent),
            caller,
            (client) => requireReplayed(client, mark),
          );
      return (await result).rows as Row[];
    },
    closeSoon: () => server.connections.closeSoon(),
    close: async () => {
      server.connections.closeSoon();
      const closed = [...sessions, slowReads].map((one) => one.close());
      await closeWithin(CLOSE_MS, Promise.all([...closed, searches.end()]));
    },
  };
};
