import { parseStatementText } from './statement-text.js';

/** Values that the driver can send; arrays become PostgreSQL arrays. */
export type Param = string | number | bigint | boolean | Buffer | Uint8Array | Date | null | readonly Param[];

/** The parameters of a statement that has none. */
export type NoParams = Readonly<Record<never, never>>;

/**
 * A cache tag: a number that identifies a kind of data and the account, cast, name or app that it belongs to
 * (src/store/tag.ts). A write invalidates the tags of the data it changed, and with them all cached responses that have
 * one of these tags.
 */
export type Tag = number;

/**
 * A frequent read, prepared once on each connection under its name. `Row` is the type of its rows. It must not write or
 * lock, because it may be sent twice; a server rejects writes (SQLSTATE 25006).
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Names of its parameters in their order; undefined: it has none. */
  readonly params?: readonly string[];
  /** Set: it must not wait for other reads. */
  readonly isPriority?: true;
  /** Set: its duration depends on its parameters; on a server it has separate connections and a time limit. */
  readonly isSearch?: true;
  /** Set: it is not prepared, because its best plan depends on its parameters. */
  readonly isPlannedEachTime?: true;
  /** Dependency tags of the result, also of an empty one; absent or undefined: the result is not cached. */
  tags?(params: readonly Param[], rows: readonly Row[]): readonly Tag[] | undefined;
  /** Make this type incompatible with the other kinds of statement. */
  readonly isWrite?: never;
  readonly isPrepared?: never;
  /** Never set: it only carries the type of a row. */
  readonly row?: Row;
}

export type AnyStatement = (Statement<unknown> | PriorityWrite<unknown> | Sql<unknown>) & {
  /** The text as it is written, which says more than what is sent: see `parseStatementText`. */
  readonly source: string;
};

const registry = new Map<string, AnyStatement>();

/**
 * @param made with the text as it is written
 * @param first number of the first named parameter
 * @throws Error when another statement has this name, because the driver would send the first text for both
 */
const register = <Made extends { readonly name: string; readonly text: string }>(made: Made, first?: number) => {
  if (registry.has(made.name)) throw new Error(`Two statements have the name ${made.name}.`);
  const { text, params } = parseStatementText(made.text, first);
  const registered = { ...made, text, source: made.text, ...(params && { params }) };
  registry.set(made.name, registered);
  return registered;
};

/** @returns the statements of all loaded modules, for scripts/sql.ts and for a test that prepares them */
export const registeredStatements = (): readonly AnyStatement[] => [...registry.values()];

/**
 * @param name unique in the program
 * @param tags returns the dependency tags of the result, so that responses made from it can be cached
 */
export const statement = <Row>(name: string, text: string, tags?: Statement<Row>['tags']): Statement<Row> =>
  register({ name, text, ...(tags && { tags }) });

/** For the few reads that must not wait for a queue of reads; on a server they have a separate connection. */
export const priorityStatement = <Row>(name: string, text: string): Statement<Row> =>
  register({ name, text, isPriority: true });

/** For searches, which must not delay other reads. Fails with SQLSTATE 57014 when it takes too long. */
export const searchStatement = <Row>(
  name: string,
  text: string,
  options: Pick<Statement<Row>, 'isPlannedEachTime'> = {},
): Statement<Row> => register({ name, text, isSearch: true, ...options });

/** A single write that must not wait for a client of the pool: prepared, short, and locks its rows only briefly. */
export interface PriorityWrite<Row> {
  readonly name: string;
  readonly text: string;
  readonly params?: readonly string[];
  readonly isWrite: true;
  /** Never set: it only carries the type of a row. */
  readonly row?: Row;
}

/** @param name unique in the program, and changed with the text */
export const priorityWrite = <Row>(name: string, text: string): PriorityWrite<Row> =>
  register({ name, text, isWrite: true });

/** A statement that PostgreSQL parses and plans each time: a write or an infrequent read. */
export interface Sql<Row> {
  readonly name: string;
  readonly text: string;
  readonly params?: readonly string[];
  readonly isPrepared: false;
  /** Never set: it only carries the type of a row. */
  readonly row?: Row;
}

/**
 * @param name unique in the program
 * @param first number of its first named parameter; 1 unless given
 */
export const sql = <Row = unknown>(name: string, text: string, first?: number): Sql<Row> =>
  register({ name, text, isPrepared: false }, first);

export const textOf = (statement: Sql<unknown> | string): string =>
  typeof statement === 'string' ? statement : statement.text;

/** Sends named reads. */
export interface Reader {
  /** @param caller whom the rows are for: callers take turns at the connections for searches and slow reads */
  read<Row>(statement: Statement<Row>, params: readonly Param[], caller?: string): Promise<Row[]>;
}

/** Sends SQL to the database, or within one transaction. */
export interface Session extends Reader {
  /**
   * Sends a statement with parameters `$1..$n` once; required for statements that write or lock.
   * @throws OutcomeUnknownError outside of a transaction when the connection breaks before PostgreSQL responds
   */
  run<Row>(sql: Sql<Row> | string, params?: readonly Param[]): Promise<Row[]>;
  /** Sends a read with parameters `$1..$n`; outside of a transaction, twice if a connection breaks. */
  select<Row>(sql: Sql<Row> | string, params?: readonly Param[]): Promise<Row[]>;
  /** Sends several statements without parameters (migrations). */
  script(text: string): Promise<void>;
}
