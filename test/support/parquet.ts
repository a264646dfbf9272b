import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import type { Session } from '../../src/db/statement.js';
import { PUBLIC_VIEWS, type PublicView } from '../../src/store/public-view.js';

export const ALL_VIEWS = Object.keys(PUBLIC_VIEWS) as PublicView[];

/** A row with all values as text, as PostgreSQL writes them; times in microseconds since 1970. */
export type TextRow = Readonly<Record<string, string | null>>;

const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(String).join(',')}}`;
  return String(value);
};

const sorted = (rows: readonly TextRow[]): TextRow[] =>
  [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** @returns the files below a folder, relative to it */
export const parquetFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet')).sort();

/** @returns the rows of a file in their order */
export const readParquet = async (path: string): Promise<TextRow[]> => {
  const bytes = await readFile(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  // By default times would be dates, which have milliseconds.
  const parsers = { timestampFromMicroseconds: (value: bigint) => value };
  const rows = await parquetReadObjects({ file, parsers } as Parameters<typeof parquetReadObjects>[0]);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)])));
};

/** @returns all rows of a table that was exported, in an order of their own */
export const readTable = async (folder: string, table: PublicView): Promise<TextRow[]> => {
  const rows: TextRow[] = [];
  for (const name of await parquetFiles(join(folder, table)))
    rows.push(...(await readParquet(join(folder, table, name))));
  return sorted(rows);
};

/** @returns what a view shows; of one by day what is before `end` */
export const readView = async (db: Session, table: PublicView, end: Date): Promise<TextRow[]> => {
  const columns = await db.run<{ name: string; type: string }>(
    `select column_name::text as name, data_type::text as type from information_schema.columns
      where table_schema = 'castellan_public' and table_name = $1`,
    [table],
  );
  const list = columns.map(({ name, type }) => {
    if (type === 'timestamp with time zone')
      return `(extract(epoch from "${name}") * 1000000)::bigint::text as "${name}"`;
    return type === 'real' ? `"${name}"::float8::text as "${name}"` : `"${name}"::text as "${name}"`;
  });
  const where = PUBLIC_VIEWS[table].isByDay ? 'where "timestamp" < $1' : 'where $1::timestamptz is not null';
  return sorted(await db.run<TextRow>(`select ${list.join(', ')} from castellan_public.${table} ${where}`, [end]));
};
