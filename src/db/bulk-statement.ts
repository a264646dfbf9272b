import { byteaArray, numberArray } from './array-param.js';
import { type Param, type Session, type Sql, sql } from './statement.js';

/** Column types that `unnest` supports; columns that are arrays themselves are sent as text and cast. */
export type ColumnType =
  | 'bigint'
  | 'integer'
  | 'smallint'
  | 'bytea'
  | 'text'
  | 'boolean'
  | 'timestamptz'
  | 'uuid'
  | 'numeric'
  | 'double precision'
  | 'bigint[]'
  | 'integer[]'
  | 'jsonb';

type ColumnTypes = Readonly<Record<string, ColumnType>>;

const TRAVELS_AS_TEXT = new Set<ColumnType>(['bigint[]', 'integer[]', 'jsonb']);

const literal = (type: ColumnType, value: unknown): Param => {
  if (value === null || value === undefined) return null;
  if (type === 'jsonb') return JSON.stringify(value);
  if (TRAVELS_AS_TEXT.has(type)) return `{${(value as number[]).join(',')}}`;
  return value as Param;
};

/** @returns `select ... from unnest($1::bigint[], ...) as u(names)` */
const unnest = (columns: ColumnTypes): string => {
  const entries = Object.entries(columns);
  const arrays = entries.map(([, type], index) => `$${index + 1}::${TRAVELS_AS_TEXT.has(type) ? 'text' : type}[]`);
  const selected = entries.map(([name, type]) =>
    TRAVELS_AS_TEXT.has(type) ? `u."${name}"::${type} as "${name}"` : `u."${name}"`,
  );
  const names = entries.map(([name]) => `"${name}"`).join(', ');
  return `select ${selected.join(', ')} from unnest(${arrays.join(', ')}) as u(${names})`;
};

/** A statement for any number of rows, with one array parameter for each column. */
export interface BulkStatement<Returned> extends Sql<Returned> {
  readonly columns: ColumnTypes;
}

/**
 * @param columns PostgreSQL types of the columns
 * @param text makes the statement from a `select` of the rows; its own parameters have names
 */
export const bulkStatement = <Returned = unknown>(
  name: string,
  columns: ColumnTypes,
  text: (rows: string) => string,
): BulkStatement<Returned> =>
  Object.assign(sql<Returned>(name, text(unnest(columns)), Object.keys(columns).length + 1), { columns });

/** @param tail follows the rows: `on conflict ...`, `returning ...`; an update fails if a row occurs twice */
export const bulkInsert = <Returned = unknown>(
  name: string,
  table: string,
  columns: ColumnTypes,
  tail = '',
): BulkStatement<Returned> => {
  const names = Object.keys(columns).map((column) => `"${column}"`);
  return bulkStatement(name, columns, (rows) =>
    `insert into "${table}" (${names.join(', ')}) ${rows} ${tail}`.trimEnd(),
  );
};

/** @returns a statement that deletes the rows with these key columns */
export const bulkDelete = (name: string, table: string, key: ColumnTypes): BulkStatement<unknown> => {
  const match = Object.keys(key).map((column) => `t."${column}" = k."${column}"`);
  return bulkStatement(name, key, (rows) => `delete from "${table}" t using (${rows}) k where ${match.join(' and ')}`);
};

export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const NUMBERS = new Set<ColumnType>(['bigint', 'integer', 'smallint']);

/** Bytes and numbers are most of what is written, and the driver would take long to make text of them. */
const arrayOf = (type: ColumnType, rows: readonly object[], member: keyof object): Param => {
  if (type === 'bytea') return byteaArray(rows.map((row) => row[member]));
  if (NUMBERS.has(type)) return numberArray(rows.map((row) => row[member]));
  return rows.map((row) => literal(type, row[member]));
};

/** The parameters of a bulk statement apart from its rows, by their names. */
type OwnParams = Readonly<Record<string, Param>>;

/**
 * Rows have the names of the columns in camelCase.
 * @throws Error when the first row lacks a column, which would be written as null without notice
 */
const paramsOf = (
  { name: statement, columns, params = [] }: BulkStatement<unknown>,
  rows: readonly object[],
  own: OwnParams | undefined,
): Param[] => [
  ...Object.entries(columns).map(([name, type]) => {
    const member = camelCase(name);
    if (!(member in (rows[0] ?? {}))) throw new Error(`Rows of ${statement} need ${member}.`);
    return arrayOf(type, rows, member as keyof object);
  }),
  ...params.map((name) => own?.[name] as Param),
];

/** Sends a bulk write; without rows nothing is sent. */
export const runRows = async <Returned>(
  session: Session,
  statement: BulkStatement<Returned>,
  rows: readonly object[],
  own?: OwnParams,
): Promise<Returned[]> => (rows.length === 0 ? [] : session.run(statement, paramsOf(statement, rows, own)));

/** Sends a bulk read; without rows nothing is sent. */
export const selectRows = async <Returned>(
  session: Session,
  statement: BulkStatement<Returned>,
  rows: readonly object[],
  own?: OwnParams,
): Promise<Returned[]> => (rows.length === 0 ? [] : session.select(statement, paramsOf(statement, rows, own)));
