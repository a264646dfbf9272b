import type { Session } from '../db/statement.js';
import { selectQuery } from './query-function.js';

/**
 * The views of `castellan_public` by name. `key` orders their rows and occurs once; a view `byDay` has messages whose
 * `timestamp` never changes, the others show a state.
 */
export const PUBLIC_VIEWS = {
  profiles: { key: ['fid'], isByDay: false },
  channels: { key: ['id'], isByDay: false },
  verifications: { key: ['fid', 'protocol', 'address'], isByDay: false },
  casts: { key: ['timestamp', 'hash'], isByDay: true },
  reactions: { key: ['timestamp', 'hash'], isByDay: true },
  // A compact state has one hash for all its links.
  links: { key: ['timestamp', 'hash', 'type', 'target_fid'], isByDay: true },
} as const satisfies Record<string, { readonly key: readonly string[]; readonly isByDay: boolean }>;

export type PublicView = keyof typeof PUBLIC_VIEWS;

/** What a column holds, and how a row has it: `int64` and `time` (microseconds since 1970) as decimal text. */
export type ColumnKind =
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'float'
  | 'double'
  | 'text'
  | 'time'
  | 'int32-list'
  | 'int64-list';

export interface PublicColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** How a type of PostgreSQL is read without loss, where the driver would round it. */
interface ColumnReading {
  readonly kind: ColumnKind;
  /** Makes the value that a row has. */
  readonly read?: (column: string) => string;
  /** Makes the value of the column from such a one. */
  readonly parse: (value: string) => string;
}

const asText = (column: string): string => `${column}::text`;

const READINGS: Readonly<Record<string, ColumnReading>> = {
  boolean: { kind: 'boolean', parse: (value) => `${value}::boolean` },
  smallint: { kind: 'int32', parse: (value) => `${value}::smallint` },
  integer: { kind: 'int32', parse: (value) => `${value}::integer` },
  bigint: { kind: 'int64', read: asText, parse: (value) => `${value}::bigint` },
  real: { kind: 'float', parse: (value) => `${value}::real` },
  'double precision': { kind: 'double', parse: (value) => `${value}::double precision` },
  text: { kind: 'text', parse: (value) => `${value}::text` },
  jsonb: { kind: 'text', read: asText, parse: (value) => `${value}::jsonb` },
  'integer[]': { kind: 'int32-list', parse: (value) => `${value}::integer[]` },
  'bigint[]': { kind: 'int64-list', read: (column) => `${column}::text[]`, parse: (value) => `${value}::bigint[]` },
  'timestamp with time zone': {
    kind: 'time',
    read: (column) => `(extract(epoch from ${column}) * 1000000)::bigint::text`,
    parse: (value) => `'epoch'::timestamptz + ${value}::bigint * interval '1 microsecond'`,
  },
};

const selectColumns = selectQuery(
  'select_public_view_columns',
  `select attname::text as "name!", format_type(atttypid, null) as "type!"
     from pg_attribute
    where attrelid = to_regclass('castellan_public.' || :view::text) and attnum > 0 and not attisdropped
    order by attnum`,
).rows();

/** A row as `PublicColumn` says, by the names of the columns; null: absent. */
export type PublicRow = Readonly<Record<string, unknown>>;

/** Times from `first` until before `end`. */
export interface TimeRange {
  readonly first: Date;
  readonly end: Date;
}

/** Reads the rows of a view in pages. */
export interface PublicViewReader {
  readonly columns: readonly PublicColumn[];
  /**
   * @param range only rows of a view by day with such times; undefined: all
   * @param after the last row of the page before; undefined: the first page
   * @returns at most `limit` rows in the order of the key
   */
  page(range: TimeRange | undefined, after: PublicRow | undefined, limit: number): Promise<PublicRow[]>;
}

const quoted = (name: string): string => `"${name}"`;

/**
 * @returns a reader with the columns that the view has in this database
 * @throws Error for a column whose type it does not know
 */
export const openPublicView = async (db: Session, view: PublicView): Promise<PublicViewReader> => {
  const described = (await selectColumns(db, { view })).map(({ name, type }) => {
    const reading = READINGS[type];
    if (reading === undefined)
      throw new Error(`castellan_public.${view} has the column "${name}" of type ${type}, which cannot be exported.`);
    return { name, reading };
  });
  const readingOf = (column: string): ColumnReading => {
    const found = described.find(({ name }) => name === column);
    if (found === undefined) throw new Error(`castellan_public.${view} has no column "${column}".`);
    return found.reading;
  };
  const { key, isByDay } = PUBLIC_VIEWS[view];
  const list = described.map(
    ({ name, reading }) => `${reading.read?.(quoted(name)) ?? quoted(name)} as ${quoted(name)}`,
  );
  // Texts in the order of their bytes, which is the same on every server.
  const ordered = key.map((name) => (readingOf(name).kind === 'text' ? `${quoted(name)} collate "C"` : quoted(name)));
  return {
    columns: described.map(({ name, reading: { kind } }) => ({ name, kind })),
    page: (range, after, limit) => {
      const params: (string | number | Date)[] = [limit];
      const take = (value: string | number | Date): string => `$${params.push(value)}`;
      const conditions: string[] = [];
      if (isByDay && range !== undefined)
        conditions.push(`"timestamp" >= ${take(range.first)} and "timestamp" < ${take(range.end)}`);
      if (after !== undefined) {
        const values = key.map((name) => readingOf(name).parse(take(after[name] as string)));
        conditions.push(`(${ordered.join(', ')}) > (${values.join(', ')})`);
      }
      const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
      // Aliases would hide the columns from the order.
      const text = `select ${list.join(', ')} from castellan_public.${view} v ${where}
        order by ${ordered.map((one) => `v.${one}`).join(', ')} limit $1`;
      return db.select<PublicRow>(text, params);
    },
  };
};

/** @returns the earliest time of a view by day in the range; undefined: none */
export const selectFirstTime = async (db: Session, view: PublicView, range: TimeRange): Promise<Date | undefined> => {
  const text = `select "timestamp" from castellan_public.${view}
    where "timestamp" >= $1 and "timestamp" < $2 order by "timestamp" limit 1`;
  const [row] = await db.select<{ timestamp: Date }>(text, [range.first, range.end]);
  return row?.timestamp;
};
