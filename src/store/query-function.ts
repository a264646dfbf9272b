import {
  type BulkStatement,
  bulkDelete,
  bulkInsert,
  bulkStatement,
  runRows,
  selectRows,
} from '../db/bulk-statement.js';
import type { Database } from '../db/database.js';
import {
  type Param,
  priorityStatement,
  priorityWrite,
  type Reader,
  type Session,
  type Statement,
  searchStatement,
  sql,
  statement,
  type Tag,
} from '../db/statement.js';
import type { StatementTypes } from './statement-types.js';

/** A name of a statement that PostgreSQL described. */
type Name = keyof StatementTypes;

/** The rows of a statement. */
export type RowOf<Of extends Name> = StatementTypes[Of]['row'];

/** What a statement takes. */
export type ParamsOf<Of extends Name> = StatementTypes[Of]['params'];

/** What a function takes after the session where nothing makes its parameters: the parameters by their names. */
type Taken<Params> = Params extends readonly unknown[] ? Params : keyof Params extends never ? [] : [params: Params];

/** Makes the parameters of a statement from the arguments of a function; undefined: nothing is sent, there are no rows. */
type Maker<Args extends readonly unknown[], Params> = (...args: Args) => Params | undefined;

/** What makes a bulk statement, after its name. */
type MadeOf<Make extends (name: string, ...rest: never) => unknown> =
  Parameters<Make> extends [string, ...infer Rest] ? Rest : never;

/** The rows of a bulk statement, then its own parameters if it has some. */
type BulkParams<Own> = readonly [rows: readonly object[], ...own: keyof Own extends never ? [] : [own: Own]];

/**
 * Makes the functions that send one statement; each takes the session, then the parameters by their names, or the
 * arguments from which `params` makes them.
 * @param taken the parameters that were given as they are
 */
const functionsOf = <Sender, Row, Params>(
  sendParams: (session: Sender, params: Params) => Promise<Row[]>,
  taken: (args: readonly unknown[]) => unknown = ([params = {}]) => params,
) => {
  const send = async <Args extends readonly unknown[]>(
    session: Sender,
    params: Maker<Args, Params> | undefined,
    args: Args,
  ): Promise<Row[]> => {
    const made = params === undefined ? (taken(args) as Params) : params(...args);
    return made === undefined ? [] : sendParams(session, made);
  };
  return {
    /** All rows. */
    rows:
      <Args extends readonly unknown[] = Taken<Params>>(params?: Maker<Args, Params>) =>
      (session: Sender, ...args: Args): Promise<Row[]> =>
        send(session, params, args),
    /** The first row; undefined: there is none. */
    first:
      <Args extends readonly unknown[] = Taken<Params>>(params?: Maker<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<Row | undefined> =>
        (await send(session, params, args))[0],
    /** The first row of a statement that always returns one. */
    one:
      <Args extends readonly unknown[] = Taken<Params>>(params?: Maker<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<Row> =>
        (await send(session, params, args))[0] as Row,
    /** The number of rows. */
    count:
      <Args extends readonly unknown[] = Taken<Params>>(params?: Maker<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<number> =>
        (await send(session, params, args)).length,
    /** Whether there is a row. */
    hasRows:
      <Args extends readonly unknown[] = Taken<Params>>(params?: Maker<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<boolean> =>
        (await send(session, params, args)).length > 0,
    /** One column of all rows. */
    column:
      <Name extends keyof Row, Args extends readonly unknown[] = Taken<Params>>(
        name: Name,
        params?: Maker<Args, Params>,
      ) =>
      async (session: Sender, ...args: Args): Promise<Row[Name][]> =>
        (await send(session, params, args)).map((row) => row[name]),
    /** One column of all rows, each value once. */
    columnSet:
      <Name extends keyof Row, Args extends readonly unknown[] = Taken<Params>>(
        name: Name,
        params?: Maker<Args, Params>,
      ) =>
      async (session: Sender, ...args: Args): Promise<Set<Row[Name]>> =>
        new Set((await send(session, params, args)).map((row) => row[name])),
    /** Of all rows, the values of one column by those of another. */
    columnMap:
      <Key extends keyof Row, Name extends keyof Row, Args extends readonly unknown[] = Taken<Params>>(
        key: Key,
        name: Name,
        params?: Maker<Args, Params>,
      ) =>
      async (session: Sender, ...args: Args): Promise<Map<Row[Key], Row[Name]>> =>
        new Map((await send(session, params, args)).map((row) => [row[key], row[name]])),
    /** One column of the first row; undefined: there is none. */
    value:
      <Name extends keyof Row, Args extends readonly unknown[] = Taken<Params>>(
        name: Name,
        params?: Maker<Args, Params>,
      ) =>
      async (session: Sender, ...args: Args): Promise<Row[Name] | undefined> =>
        (await send(session, params, args))[0]?.[name],
    /** One column of the first row, or `otherwise` where there is none or it is null. */
    valueOr:
      <Name extends keyof Row, Otherwise, Args extends readonly unknown[] = Taken<Params>>(
        name: Name,
        otherwise: Otherwise,
        params?: Maker<Args, Params>,
      ) =>
      async (session: Sender, ...args: Args): Promise<NonNullable<Row[Name]> | Otherwise> =>
        (await send(session, params, args))[0]?.[name] ?? otherwise,
    /** Nothing. */
    done:
      <Args extends readonly unknown[] = Taken<Params>>(params?: Maker<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<void> => {
        await send(session, params, args);
      },
  };
};

/** Tags of a result: see `statement`. Undefined: it is not cached. */
type TagsOf<Row, Params> = (params: Params, rows: readonly Row[]) => readonly Tag[] | undefined;

type Values = Readonly<Record<string, Param>>;

/** @returns the parameters in their order */
const valuesOf = ({ params = [] }: { readonly params?: readonly string[] }, values: object): readonly Param[] =>
  params.map((name) => (values as Values)[name] as Param);

/** @returns the parameters by their names */
const namedParams = ({ params = [] }: { readonly params?: readonly string[] }, values: readonly Param[]): object =>
  Object.fromEntries(params.map((name, index) => [name, values[index]]));

/**
 * Functions of a frequent read, which is prepared (`statement`).
 * @param name unique in the program; `npm run sql` describes the statement under it
 * @param text with named parameters: see `parseStatementText`
 * @param tags makes the dependency tags of the result, so that responses made from it can be cached
 */
export const readQuery = <Of extends Name>(name: Of, text: string, tags?: TagsOf<RowOf<Of>, ParamsOf<Of>>) => {
  const query: Statement<RowOf<Of>> = statement<RowOf<Of>>(
    name,
    text,
    tags && ((values, rows) => tags(namedParams(query, values) as ParamsOf<Of>, rows)),
  );
  return functionsOf<Reader, RowOf<Of>, ParamsOf<Of>>((session, params) =>
    session.read(query, valuesOf(query, params)),
  );
};

/** Functions of an infrequent read (`sql`). */
export const selectQuery = <Of extends Name>(name: Of, text: string) => {
  const query = sql<RowOf<Of>>(name, text);
  return functionsOf<Session, RowOf<Of>, ParamsOf<Of>>((session, params) =>
    session.select(query, valuesOf(query, params)),
  );
};

/** Functions of a statement that writes or locks (`sql`). */
export const writeQuery = <Of extends Name>(name: Of, text: string) => {
  const query = sql<RowOf<Of>>(name, text);
  return functionsOf<Session, RowOf<Of>, ParamsOf<Of>>((session, params) =>
    session.run(query, valuesOf(query, params)),
  );
};

/** Functions of a search (`searchStatement`). */
export const searchQuery = <Of extends Name>(
  name: Of,
  text: string,
  options?: Pick<Statement<RowOf<Of>>, 'isPlannedEachTime'>,
) => {
  const query = searchStatement<RowOf<Of>>(name, text, options);
  return functionsOf<Reader, RowOf<Of>, ParamsOf<Of>>((session, params) =>
    session.read(query, valuesOf(query, params)),
  );
};

/** Functions of a read that must not wait for others (`priorityStatement`). */
export const priorityQuery = <Of extends Name>(name: Of, text: string) => {
  const query = priorityStatement<RowOf<Of>>(name, text);
  return functionsOf<Reader, RowOf<Of>, ParamsOf<Of>>((session, params) =>
    session.read(query, valuesOf(query, params)),
  );
};

/** Functions of a write that must not wait for others (`priorityWrite`). */
export const priorityWriteQuery = <Of extends Name>(name: Of, text: string) => {
  const query = priorityWrite<RowOf<Of>>(name, text);
  return functionsOf<Pick<Database, 'writeWithPriority'>, RowOf<Of>, ParamsOf<Of>>((db, params) =>
    db.writeWithPriority(query, valuesOf(query, params)),
  );
};

const functionsOfRows = <Of extends Name>(query: BulkStatement<RowOf<Of>>, send: typeof runRows) =>
  functionsOf<Session, RowOf<Of>, BulkParams<ParamsOf<Of>>>(
    (session, [rows, own]) => send(session, query, rows, own as Values | undefined),
    (args) => args,
  );

/** Functions of a read for any number of rows (`bulkStatement`). Without rows nothing is sent, here and below. */
export const readRows = <Of extends Name>(name: Of, ...made: MadeOf<typeof bulkStatement>) =>
  functionsOfRows<Of>(bulkStatement<RowOf<Of>>(name, ...made), selectRows);

/** Functions of a write of any number of rows (`bulkStatement`). */
export const writeRows = <Of extends Name>(name: Of, ...made: MadeOf<typeof bulkStatement>) =>
  functionsOfRows<Of>(bulkStatement<RowOf<Of>>(name, ...made), runRows);

/** Functions that insert any number of rows (`bulkInsert`). */
export const insertRows = <Of extends Name>(name: Of, ...made: MadeOf<typeof bulkInsert>) =>
  functionsOfRows<Of>(bulkInsert<RowOf<Of>>(name, ...made), runRows);

/** Functions that delete any number of rows by their keys (`bulkDelete`). */
export const deleteRows = <Of extends Name>(name: Of, ...made: MadeOf<typeof bulkDelete>) =>
  functionsOfRows<Of>(bulkDelete(name, ...made) as BulkStatement<RowOf<Of>>, runRows);
