import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import type { Static, TSchema } from 'typebox';
import { inOf, keepIn, perDialect } from '../hydrate/per-dialect.js';
import { differs, inDialect } from '../schema/dialect.js';
import { renamer } from '../schema/rename.js';
import type { Dialect } from '../schema/wire-names.js';

type JsonSchema = { readonly [keyword: string]: unknown };

/** Keywords that say which values of a type are allowed, but not how they are written. */
const CONSTRAINTS = new Set([
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/**
 * The serializer validates each value against the alternatives of `anyOf` and throws when none fits. Stored data that
 * breaks a bound must not fail the answer, so that alternatives are told apart by type and members alone.
 */
const withoutConstraints = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutConstraints);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node as JsonSchema)
      .filter(([keyword]) => !CONSTRAINTS.has(keyword))
      .map(([keyword, part]) => [
        keyword,
        keyword === 'properties' ? membersOf(part as JsonSchema) : withoutConstraints(part),
      ]),
  );
};

/** Names of members may be those of keywords. */
const membersOf = (properties: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, withoutConstraints(member)]));

const compile = (schema: TSchema): ((value: unknown) => string) =>
  fastJsonStringify(withoutConstraints(schema) as Schema);

/**
 * Compiles the serializer of a shape; it writes the members that the schema knows and no others.
 * Compilation waits for the first use, so that a start does not pay for it.
 * @throws Error at once for a shape that dialects call otherwise: its bytes would be wrong in one of them.
 */
export const serializer = <T extends TSchema>(schema: T): ((value: Static<T>) => string) => {
  if (differs(schema)) throw new Error('a shape that dialects call otherwise needs a dialectSerializer');
  let compiled: ((value: Static<T>) => string) | undefined;
  return (value) => {
    compiled ??= compile(schema);
    return compiled(value);
  };
};

/** The same for a shape that dialects call otherwise: one serializer for each. Values are in neutral names. */
export const dialectSerializer = <T extends TSchema>(schema: T): ((value: Static<T>, dialect: Dialect) => string) => {
  const compiled = perDialect<(value: Static<T>) => string>();
  const make = (dialect: Dialect): ((value: Static<T>) => string) => {
    const rename = dialect === 'neutral' ? undefined : renamer(schema, dialect);
    const serialize = compile(inDialect(schema, dialect));
    return rename === undefined ? serialize : (value) => serialize(rename(value));
  };
  return (value, dialect) => (inOf(compiled, dialect) ?? keepIn(compiled, dialect, make(dialect)))(value);
};

/** @returns a JSON object that is left open: its last brace gives way to more members. */
export const openObject = (json: string, members: string): string => `${json.slice(0, -1)},${members}`;
