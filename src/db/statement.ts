/** Values that the driver can send; arrays become PostgreSQL arrays. */
export type Param = string | number | bigint | boolean | Buffer | Uint8Array | Date | null | readonly Param[];

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
  /** Set: it must not wait for other reads. */
  readonly isPriority?: true;
  /** Set: its duration depends on its parameters; on a server it has separate connections and a time limit. */
  readonly isSearch?: true;
  /** Set: it is not prepared, because its best plan depends on its parameters. */
  readonly isPlannedEachTime?: true;
  /** Set: rows are arrays of columns in the order of the text, which cost a third less than objects. */
  readonly rowMode?: 'array';
  /** Dependency tags of the result, also of an empty one; absent or undefined: the result is not cached. */
  tags?(params: readonly Param[], rows: readonly Row[]): readonly Tag[] | undefined;
  /** Make this type incompatible with the other kinds of statement. */
  readonly isWrite?: never;
  readonly isPrepared?: never;
  /** Never set: it only carries the type of a row. */
  readonly row?: Row;
}

export type AnyStatement = Statement<unknown> | PriorityWrite<unknown> | Sql<unknown>;

const registry = new Map<string, AnyStatement>();

/** @throws Error when another statement has this name, because the driver would send the first text for both */
const register = <Made extends { readonly name: string; readonly text: string }>(made: Made): Made => {
  if (registry.has(made.name)) throw new Error(`Two statements have the name ${made.name}.`);
  registry.set(made.name, made);
  return made;
};

/** @returns the statements of all loaded modules, for scripts/sql.ts and for a test that prepares them */
export const registeredStatements = (): readonly AnyStatement[] => [...registry.values()];

/**
 * @param name unique in the program
 * @param tags returns the dependency tags of the result, so that responses made from it can be cached
 */
export const statement = <Row>(name: string, text: string, tags?: Statement<Row>['tags']): Statement<Row> =>
  register({ name, text, ...(tags && { tags }) });

/** The types of these columns of a row, in this order. */
export type ColumnsOf<Row, Names extends readonly (keyof Row)[]> = {
  readonly [Index in keyof Names]: Row[Names[Index]];
};

/** For many rows with many columns: rows are arrays, and `Row` is a tuple. */
export const arrayStatement = <Row extends readonly unknown[]>(name: string, text: string): Statement<Row> =>
  register({ name, text, rowMode: 'array' });

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
  readonly isPrepared: false;
  /** Never set: it only carries the type of a row. */
  readonly row?: Row;
}

/** @param name unique in the program */
export const sql = <Row = unknown>(name: string, text: string): Sql<Row> => register({ name, text, isPrepared: false });

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

/** Sends a write that returns no rows; otherwise as {@link Session.run}. */
export const execute = async (session: Session, statement: Sql<unknown>, params: readonly Param[]): Promise<void> => {
  await session.run(statement, params);
};
