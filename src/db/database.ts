import type { CommitNotices } from './commit-notice.js';
import type { BackupCopy } from './embedded/base-backup.js';
import type { ProbeConnection } from './probe.js';
import type { Param, PriorityWrite, Session } from './statement.js';

/**
 * Access to PostgreSQL, on a server or embedded. Errors are the driver's own (`code` is the SQLSTATE);
 * `src/db/failure.ts` classifies them.
 */
export interface Database extends Session {
  readonly kind: 'postgres' | 'embedded';
  /** To and from the other processes that use it. */
  readonly notices: CommitNotices;
  /**
   * Runs `work` in one transaction on its own connection and rolls back when it throws. A transaction that PostgreSQL
   * ended because of a deadlock is repeated (at most three times).
   * @throws OutcomeUnknownError when the connection breaks during the commit; after any other error nothing is written
   */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Sends a write immediately and only once; on a server over a connection that no transaction can block. */
  writeWithPriority<Row>(statement: PriorityWrite<Row>, params: readonly Param[]): Promise<Row[]>;
  /** Frees dead rows and updates statistics. A no-op on a server, where autovacuum does it. */
  vacuum(): Promise<void>;
  /** Updates the statistics of tables that changed much, so that outdated plans are replaced. A no-op on a server. */
  analyze(): Promise<void>;
  /**
   * Lets the folder of an embedded database be copied while it is used; undefined for a server, and for one in memory.
   * @throws AppError `conflict` while another copy is made
   */
  readonly backUp?: (copy: BackupCopy) => Promise<void>;
  /** @returns a connection for health checks, which opens on first use; the caller resets it after failures */
  openProbe(): ProbeConnection;
  /** @returns host and port of the server of the last connection; undefined before the first, and for an embedded database */
  address(): string | undefined;
  /** Connections and waiting callers, for the metrics. */
  load(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /**
   * Says that the process stops: from now on nothing waits longer than two seconds for a server that does not respond.
   * Statements on which it works are not disturbed.
   */
  closeSoon(): void;
  close(): Promise<void>;
}
