import type { Param, Session } from './database.js';

/** Types that `unnest` can carry; those that hold lists themselves travel as text and are cast on arrival. */
export type ColumnType =
  | 'bigint'
  | 'integer'
  | 'smallint'
  | 'bytea'
  | 'text'
  | 'boolean'
  | 'timestamptz'
  | 'double precision'
  | 'bigint[]'
  | 'integer[]'
  | 'jsonb';

const TRAVELS_AS_TEXT = new Set<ColumnType>(['bigint[]', 'integer[]', 'jsonb']);

const literal = (type: ColumnType, value: unknown): Param => {
  if (value === null || value === undefined) return null;
  if (type === 'jsonb') return JSON.stringify(value);
  if (TRAVELS_AS_TEXT.has(type)) return `{${(value as number[]).join(',')}}`;
  return value as Param;
};

/** One statement's worth of rows, column by column, as `unnest` takes them. */
export interface RowSource {
  /** `(select ... from unnest($1::bigint[], ...) with names)`, to stand behind `from` or `insert into`. */
  readonly select: string;
  readonly params: readonly Param[];
}

/** @returns the rows as a select over unnested parameters; `columns` maps each name to its PostgreSQL type. */
export const rowSource = <Row extends object>(
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly Row[],
): RowSource => {
  const names = Object.keys(columns);
  const arrays = names.map((_, index) => {
    const type = columns[names[index] as string] as ColumnType;
    return `$${index + 1}::${TRAVELS_AS_TEXT.has(type) ? 'text' : type}[]`;
  });
  const picked = names.map((name) => {
    const type = columns[name] as ColumnType;
    return TRAVELS_AS_TEXT.has(type) ? `u."${name}"::${type} as "${name}"` : `u."${name}"`;
  });
  const aliases = names.map((name) => `"${name}"`).join(', ');
  return {
    select: `select ${picked.join(', ')} from unnest(${arrays.join(', ')}) as u(${aliases})`,
    params: names.map((name) => rows.map((row) => literal(columns[name] as ColumnType, row[name as keyof Row]))),
  };
};

/**
 * Inserts all rows in one statement.
 * @param tail what follows the values: `on conflict ...`, `returning ...`
 * @returns the rows that `returning` names; a row twice in one call is an error where `tail` updates.
 */
export const insertRows = async <Returned = never, Row extends object = object>(
  session: Session,
  table: string,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly Row[],
  tail = '',
): Promise<Returned[]> => {
  if (rows.length === 0) return [];
  const source = rowSource(columns, rows);
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return session.run<Returned>(`insert into "${table}" (${names.join(', ')}) ${source.select} ${tail}`, source.params);
};

/** Deletes the rows whose key columns match. */
export const deleteRows = async <Row extends object>(
  session: Session,
  table: string,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly Row[],
): Promise<void> => {
  if (rows.length === 0) return;
  const source = rowSource(columns, rows);
  const match = Object.keys(columns).map((name) => `t."${name}" = k."${name}"`);
  await session.run(`delete from "${table}" t using (${source.select}) k where ${match.join(' and ')}`, source.params);
};
