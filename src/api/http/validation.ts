import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { integerFormats } from '../../schema/format.js';
import { namedSchema } from '../../schema/named.js';
import { counterpartOf } from '../../schema/wire-names.js';
import { type JsonSchema, type SchemaForm, writeSchema } from './json-schema.js';

/**
 * One validator for requests and for tests of responses. It never converts values: query members are converted
 * before (src/api/query.ts), bodies never are.
 */
const ajv = new Ajv({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  useDefaults: true,
  // Names the received value in ValidationErrorRes.
  verbose: true,
});
addFormats.default(ajv);
for (const [name, format] of Object.entries(integerFormats)) ajv.addFormat(name, format);

/** Whole numbers beyond 2^53 were already rounded when they were parsed: no bound of a schema allows them. */
const boundIntegers = (node: JsonSchema): JsonSchema => {
  if (node.type !== 'integer' && !(Array.isArray(node.type) && node.type.includes('integer'))) return node;
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = node as Record<string, number>;
  return {
    ...node,
    minimum: Math.max(minimum, Number.MIN_SAFE_INTEGER),
    maximum: Math.min(maximum, Number.MAX_SAFE_INTEGER),
  };
};

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same schema without defaults, those of its members included. */
const withoutDefaults = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (!isObject(value)) return value;
  const { default: _, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([keyword, part]) => [keyword, withoutDefaults(part)]));
};

/**
 * Ajv fills in the default of a member where the member itself carries it. Inside alternatives it cannot know which
 * one is meant, and the default of a shape as a whole (the first value of a protocol enumeration) belongs to no
 * member; it refuses to compile both.
 */
const dropIdleDefaults = (node: JsonSchema): JsonSchema => {
  const composed = Object.entries(node).filter(([keyword]) => keyword === 'anyOf' || keyword === 'oneOf');
  if (composed.length === 0) return node;
  return { ...node, ...Object.fromEntries(composed.map(([keyword, parts]) => [keyword, withoutDefaults(parts)])) };
};

const dropRootDefault = ({ default: _, ...node }: JsonSchema): JsonSchema => node;

/**
 * A member that has two names is refused under the one that the shape does not have. Dropped like any unknown member, it
 * would do nothing in silence.
 */
const forbidCounterparts = (node: JsonSchema): JsonSchema => {
  const names = Object.keys((node.properties as object | undefined) ?? {});
  const foreign = names.flatMap((name) => counterpartOf(name) ?? []);
  if (foreign.length === 0) return node;
  const forbidden = Object.fromEntries(foreign.map((name) => [name, false]));
  return { ...node, properties: { ...forbidden, ...(node.properties as object) } };
};

const withoutMarks = (node: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => !keyword.startsWith('x-')));

const form: SchemaForm = {
  reference: (name) => {
    if (!added.has(name)) {
      added.add(name);
      const schema = namedSchema(name);
      if (schema === undefined) throw new Error(`no schema is named ${name}`);
      ajv.addSchema(dropRootDefault(writeSchema(schema, form, true)), name);
    }
    return name;
  },
  finish: (node) => forbidCounterparts(dropIdleDefaults(boundIntegers(withoutMarks(node)))),
};
const added = new Set<string>();

/**
 * @returns a check that answers undefined for valid data and the first problem's errors otherwise; it fills in
 *   defaults. It is compiled at first use, so that a start does not pay for every operation.
 * @throws Error at first use for a schema with unknown keywords or formats.
 */
export const createCheck = (schema: TSchema): ((data: unknown) => readonly ErrorObject[] | undefined) => {
  let validate: ValidateFunction | undefined;
  return (data) => {
    validate ??= ajv.compile(dropRootDefault(writeSchema(schema, form)));
    return validate(data) ? undefined : (validate.errors ?? []);
  };
};
