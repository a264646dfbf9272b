import { camelCase } from '../db/bulk-statement.js';
import type { Tables } from './tables.js';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
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

/** @returns the column of a member in camelCase; the inverse for names whose digits follow a letter, as in `last4` */
export const columnName = (member: string): string =>
  member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @returns the columns for `select` or `returning`: `period_end as "periodEnd"` */
export const columnList = (names: readonly string[]): string =>
  names.map((name) => (name.includes('_') ? `${name} as "${camelCase(name)}"` : name)).join(', ');

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
