import { type Param, type Reader, type Session, sql, statement } from '../db/statement.js';

/** Turns the arguments of a function into the parameters `$1..$n` of its statement. */
type ParamsOf<Args extends readonly unknown[]> = (...args: Args) => readonly Param[];

/** Makes the function that sends one statement; it takes the session, then the arguments of `params`. */
const functionsOf = <Sender extends Reader, Row>(
  send: (session: Sender, params: readonly Param[]) => Promise<Row[]>,
) => ({
  /** All rows. */
  rows:
    <Args extends readonly unknown[]>(params: ParamsOf<Args>) =>
    (session: Sender, ...args: Args): Promise<Row[]> =>
      send(session, params(...args)),
  /** The first row; undefined: there is none. */
  first:
    <Args extends readonly unknown[]>(params: ParamsOf<Args>) =>
    async (session: Sender, ...args: Args): Promise<Row | undefined> =>
      (await send(session, params(...args)))[0],
  /** The first row of a statement that always returns one. */
  one:
    <Args extends readonly unknown[]>(params: ParamsOf<Args>) =>
    async (session: Sender, ...args: Args): Promise<Row> =>
      (await send(session, params(...args)))[0] as Row,
  /** Whether there is a row. */
  hasRows:
    <Args extends readonly unknown[]>(params: ParamsOf<Args>) =>
    async (session: Sender, ...args: Args): Promise<boolean> =>
      (await send(session, params(...args))).length > 0,
  /** One column of all rows. */
  column:
    <Name extends keyof Row, Args extends readonly unknown[]>(name: Name, params: ParamsOf<Args>) =>
    async (session: Sender, ...args: Args): Promise<Row[Name][]> =>
      (await send(session, params(...args))).map((row) => row[name]),
  /** One column of the first row; undefined: there is none. */
  value:
    <Name extends keyof Row, Args extends readonly unknown[]>(name: Name, params: ParamsOf<Args>) =>
    async (session: Sender, ...args: Args): Promise<Row[Name] | undefined> =>
      (await send(session, params(...args)))[0]?.[name],
  /** One column of the first row, or `otherwise` where there is none or it is null. */
  valueOr:
    <Name extends keyof Row, Otherwise, Args extends readonly unknown[]>(
      name: Name,
      otherwise: Otherwise,
      params: ParamsOf<Args>,
    ) =>
    async (session: Sender, ...args: Args): Promise<NonNullable<Row[Name]> | Otherwise> =>
      (await send(session, params(...args)))[0]?.[name] ?? otherwise,
  /** Nothing. */
  done:
    <Args extends readonly unknown[]>(params: ParamsOf<Args>) =>
    async (session: Sender, ...args: Args): Promise<void> => {
      await send(session, params(...args));
    },
});

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
