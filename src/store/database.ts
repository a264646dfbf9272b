import type { Kysely } from 'kysely';
import type { ProbeConnection } from '../db/probe.js';
import type { Tables } from './tables.js';
import type { Tag } from './tag.js';

/** Values that the driver can send; arrays become PostgreSQL arrays. */
export type Param = string | number | bigint | boolean | Buffer | Uint8Array | Date | null | readonly Param[];

/**
 * A hot read: prepared once on each connection under its name. `Row` is the shape of what comes back. It writes and
 * locks nothing, for it may be sent twice; a server refuses one that does (SQLSTATE 25006).
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Set: no other read may stand in its way. */
  readonly isUrgent?: true;
  /** Set: how long it takes depends on what was asked; on a server it has connections and a time limit of its own. */
  readonly isSearch?: true;
  /** Set: rows arrive as arrays of their columns, in the order of the text; a third cheaper than objects. */
  readonly rowMode?: 'array';
  /** What the rows are made of, found or not; absent or undefined: no tag says that, and what is made from them is not cached. */
  tags?(params: readonly Param[], rows: readonly Row[]): readonly Tag[] | undefined;
  /** Keeps the compiler from taking an `UrgentWrite` for a read. */
  readonly isWrite?: never;
  /** Never set: it only carries the type of a row. */
  readonly row?: Row;
}

/**
 * @param name unique in the program
 * @param tags names what the rows are made of, so that answers made from them can be cached
 */
export const statement = <Row>(name: string, text: string, tags?: Statement<Row>['tags']): Statement<Row> => ({
  name,
  text,
  ...(tags && { tags }),
});

/** The types of these columns of a row, in this order. */
export type ColumnsOf<Row, Names extends readonly (keyof Row)[]> = {
  readonly [Index in keyof Names]: Row[Names[Index]];
};

/** @returns the same with rows as arrays: `Row` is a tuple. For statements of many rows with many columns. */
export const arrayStatement = <Row extends readonly unknown[]>(name: string, text: string): Statement<Row> => ({
  name,
  text,
  rowMode: 'array',
});

/** @returns the same for the few reads that must not wait for a queue of reads (on a server: a connection of their own). */
export const urgentStatement = <Row>(name: string, text: string): Statement<Row> => ({ name, text, isUrgent: true });

/** @returns the same for searches, which must not hold up other reads. Fails with SQLSTATE 57014 when it takes too long. */
export const searchStatement = <Row>(name: string, text: string): Statement<Row> => ({ name, text, isSearch: true });

/** A single write that must not wait for a client of the pool: prepared, short, and locks its rows but for a moment. */
export interface UrgentWrite<Row> {
  readonly name: string;
  readonly text: string;
  readonly isWrite: true;
  /** Never set: it only carries the type of a row. */
  readonly row?: Row;
}

/** @returns a named write; the name must be unique in the program and change with the text. */
export const urgentWrite = <Row>(name: string, text: string): UrgentWrite<Row> => ({ name, text, isWrite: true });

/** Whatever named reads can be sent through. */
export interface Reader {
  /** Sends a named, prepared read. */
  read<Row>(statement: Statement<Row>, params: readonly Param[]): Promise<Row[]>;
}

/** One place to send SQL to: the database at large, or one open transaction. */
export interface Session extends Reader {
  /** Query builder whose queries run in this session: `selectFrom` as `select` does, everything else as `run`. */
  readonly kysely: Kysely<Tables>;
  /**
   * Sends one statement with parameters `$1..$n`, once. For everything that writes or locks.
   * @throws OutcomeUnknownError outside of a transaction when the connection breaks before PostgreSQL answers
   */
  run<Row>(text: string, params?: readonly Param[]): Promise<Row[]>;
  /** Sends a read with parameters `$1..$n`; twice, outside of a transaction, when a connection breaks. */
  select<Row>(text: string, params?: readonly Param[]): Promise<Row[]>;
  /** Sends several statements without parameters (migrations). */
  script(text: string): Promise<void>;
}

/**
 * The only way to PostgreSQL, be it a server or the embedded one.
 * Errors are the driver's own (`code` is the SQLSTATE); `src/store/failure.ts` tells them apart.
 */
export interface Database extends Session {
  readonly kind: 'postgres' | 'embedded';
  /**
   * Runs `work` in one transaction on a connection of its own; rolls back when it throws.
   * A transaction that PostgreSQL chose as a deadlock's victim is run again (at most three times).
   * @throws OutcomeUnknownError when the connection breaks during the commit; after any other error nothing is written
   */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Sends a write at once, never twice; on a server over a connection that no transaction has to itself. */
  writeUrgently<Row>(statement: UrgentWrite<Row>, params: readonly Param[]): Promise<Row[]>;
  /** Frees dead rows and refreshes statistics, where nothing else does; a server's autovacuum makes it a no-op. */
  vacuum(): Promise<void>;
  /** Refreshes statistics of tables that changed much since, so that plans made before go; a no-op as `vacuum` is. */
  analyze(): Promise<void>;
  /** @returns a connection for asking how the database stands, opened when it is first used; whoever asks resets it. */
  openProbe(): ProbeConnection;
  /** Connections in use and waiting callers, for the metrics. */
  load(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}
