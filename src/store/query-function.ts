import {
  type BulkStatement,
  bulkDelete,
  bulkInsert,
  bulkStatement,
  runRows,
  selectRows,
} from '../db/bulk-statement.js';
import { type Param, type Reader, type Session, sql, statement } from '../db/statement.js';

/** Turns the arguments of a function into the parameters `$1..$n` of its statement. */
type ParamsOf<Args extends readonly unknown[], Params> = (...args: Args) => Params | undefined;

/** The rows of a bulk statement, then its own parameters. */
type BulkParams = readonly [rows: readonly object[], ...more: readonly Param[]];

/**
 * Makes the function that sends one statement; it takes the session, then the arguments of `params`. Where `params`
 * returns undefined, nothing is sent, and there are no rows.
 */
const functionsOf = <Sender extends Reader, Row, Params = readonly Param[]>(
  sendParams: (session: Sender, params: Params) => Promise<Row[]>,
) => {
  const send = async (session: Sender, params: Params | undefined): Promise<Row[]> =>
    params === undefined ? [] : sendParams(session, params);
  return {
    /** All rows. */
    rows:
      <Args extends readonly unknown[]>(params: ParamsOf<Args, Params>) =>
      (session: Sender, ...args: Args): Promise<Row[]> =>
        send(session, params(...args)),
    /** The first row; undefined: there is none. */
    first:
      <Args extends readonly unknown[]>(params: ParamsOf<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<Row | undefined> =>
        (await send(session, params(...args)))[0],
    /** The first row of a statement that always returns one. */
    one:
      <Args extends readonly unknown[]>(params: ParamsOf<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<Row> =>
        (await send(session, params(...args)))[0] as Row,
    /** The number of rows. */
    count:
      <Args extends readonly unknown[]>(params: ParamsOf<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<number> =>
        (await send(session, params(...args))).length,
    /** Whether there is a row. */
    hasRows:
      <Args extends readonly unknown[]>(params: ParamsOf<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<boolean> =>
        (await send(session, params(...args))).length > 0,
    /** One column of all rows. */
    column:
      <Name extends keyof Row, Args extends readonly unknown[]>(name: Name, params: ParamsOf<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<Row[Name][]> =>
        (await send(session, params(...args))).map((row) => row[name]),
    /** One column of all rows, each value once. */
    columnSet:
      <Name extends keyof Row, Args extends readonly unknown[]>(name: Name, params: ParamsOf<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<Set<Row[Name]>> =>
        new Set((await send(session, params(...args))).map((row) => row[name])),
    /** Of all rows, the values of one column by those of another. */
    columnMap:
      <Key extends keyof Row, Name extends keyof Row, Args extends readonly unknown[]>(
        key: Key,
        name: Name,
        params: ParamsOf<Args, Params>,
      ) =>
      async (session: Sender, ...args: Args): Promise<Map<Row[Key], Row[Name]>> =>
        new Map((await send(session, params(...args))).map((row) => [row[key], row[name]])),
    /** One column of the first row; undefined: there is none. */
    value:
      <Name extends keyof Row, Args extends readonly unknown[]>(name: Name, params: ParamsOf<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<Row[Name] | undefined> =>
        (await send(session, params(...args)))[0]?.[name],
    /** One column of the first row, or `otherwise` where there is none or it is null. */
    valueOr:
      <Name extends keyof Row, Otherwise, Args extends readonly unknown[]>(
        name: Name,
        otherwise: Otherwise,
        params: ParamsOf<Args, Params>,
      ) =>
      async (session: Sender, ...args: Args): Promise<NonNullable<Row[Name]> | Otherwise> =>
        (await send(session, params(...args)))[0]?.[name] ?? otherwise,
    /** Nothing. */
    done:
      <Args extends readonly unknown[]>(params: ParamsOf<Args, Params>) =>
      async (session: Sender, ...args: Args): Promise<void> => {
        await send(session, params(...args));
      },
  };
};

/** Functions of a frequent read, which is prepared (`statement`). */
export const readQuery = <Row>(...made: Parameters<typeof statement<Row>>) => {
  const query = statement<Row>(...made);
  return functionsOf((session: Reader, params) => session.read(query, params));
};

/** Functions of an infrequent read (`sql`). */
export const selectQuery = <Row>(name: string, text: string) => {
  const query = sql<Row>(name, text);
  return functionsOf((session: Session, params) => session.select(query, params));
};

/** Functions of a statement that writes or locks (`sql`). */
export const writeQuery = <Row = unknown>(name: string, text: string) => {
  const query = sql<Row>(name, text);
  return functionsOf((session: Session, params) => session.run(query, params));
};

const functionsOfRows = <Row>(query: BulkStatement<Row>, send: typeof runRows) =>
  functionsOf((session: Session, [rows, ...more]: BulkParams) => send(session, query, rows, ...more));

/** Functions of a read for any number of rows (`bulkStatement`). Without rows nothing is sent, here and below. */
export const readRows = <Row>(...made: Parameters<typeof bulkStatement<Row>>) =>
  functionsOfRows(bulkStatement<Row>(...made), selectRows);

/** Functions of a write of any number of rows (`bulkStatement`). */
export const writeRows = <Row = unknown>(...made: Parameters<typeof bulkStatement<Row>>) =>
  functionsOfRows(bulkStatement<Row>(...made), runRows);

/** Functions that insert any number of rows (`bulkInsert`). */
export const insertRows = <Row = unknown>(...made: Parameters<typeof bulkInsert<Row>>) =>
  functionsOfRows(bulkInsert<Row>(...made), runRows);

/** Functions that delete any number of rows by their keys (`bulkDelete`). */
export const deleteRows = (...made: Parameters<typeof bulkDelete>) => functionsOfRows(bulkDelete(...made), runRows);
