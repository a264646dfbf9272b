import { camelCase } from '../db/bulk-statement.js';
import type { Tables } from './tables.js';

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A row with the names of its columns in camelCase. */
export type Camel<Row> = { readonly [Name in keyof Row & string as CamelCase<Name>]: Row[Name] };

/** A row as it is written: bytes need not be a Buffer. */
export type Written<Row> = {
  readonly [Name in keyof Row]: Row[Name] extends Buffer | null
    ? Uint8Array | Exclude<Row[Name], Buffer>
    : Row[Name] extends readonly (infer Item)[]
      ? readonly Item[]
      : Row[Name];
};

/** @returns the member of a column */
export const memberName = <Name extends string>(column: Name): CamelCase<Name> => camelCase(column) as CamelCase<Name>;

/** @returns the column of a member in camelCase; the inverse for names whose digits follow a letter, as in `last4` */
export const columnName = (member: string): string =>
  member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * For a list of names with a second use: it is also inserted, or a type is made from it. Other statements name their
 * columns in the text.
 * @param table its name or alias in the statement, which a join needs
 * @returns the columns for `select` or `returning`: `period_end as "periodEnd"`
 */
export const columnList = (names: readonly string[], table?: string): string =>
  names
    .map((name) => {
      const column = table === undefined ? name : `${table}."${name}"`;
      return name.includes('_') ? `${column} as "${camelCase(name)}"` : column;
    })
    .join(', ');

/** @returns the text that inserts one row; its parameters are the columns with their names in camelCase */
export const insertText = (table: keyof Tables, names: readonly string[], tail = ''): string =>
  `insert into ${table} (${names.join(', ')})
   values (${names.map((name) => `:${camelCase(name)}`).join(', ')}) ${tail}`.trimEnd();

/** @returns the text that inserts one row or, where its key exists, updates the other columns */
export const upsertText = (table: keyof Tables, key: readonly string[], others: readonly string[]): string =>
  insertText(
    table,
    [...key, ...others],
    `on conflict (${key.join(', ')}) do update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  );
