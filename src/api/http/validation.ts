import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { TSchema } from 'typebox';
import { isObject } from '../../is-object.js';
import { integerFormats } from '../../schema/format.js';
import { namedSchema } from '../../schema/named.js';
import { OTHER_WORDS } from '../../schema/string-enum.js';
import { translateName } from '../../schema/wire-names.js';
import { type JsonSchema, type SchemaForm, writeSchema } from './json-schema.js';

/**
 * One validator for requests and for tests of responses. It never converts values: query parameters are converted
 * before (src/api/query.ts), bodies never are.
 */
const ajv = new Ajv({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  useDefaults: true,
  // ValidationErrorRes contains the received value.
  verbose: true,
});
ajv.addKeyword(OTHER_WORDS);
addFormats.default(ajv);
const dateTime = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };
// RFC 3339 allows leap seconds, and an offset may lack its minutes: neither can be read as a Date.
ajv.addFormat('date-time', (text) => dateTime.validate(text) && !Number.isNaN(Date.parse(text)));
for (const [name, format] of Object.entries(integerFormats)) ajv.addFormat(name, format);

/** Limits integers to 2^53: larger numbers were already rounded when they were parsed. */
const boundIntegers = (node: JsonSchema): JsonSchema => {
  if (node.type !== 'integer' && !(Array.isArray(node.type) && node.type.includes('integer'))) return node;
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = node as Record<string, number>;
  return {
    ...node,
    minimum: Math.max(minimum, Number.MIN_SAFE_INTEGER),
    maximum: Math.min(maximum, Number.MAX_SAFE_INTEGER),
  };
};

/** @returns the schema without defaults, including those of its members */
const withoutDefaults = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (!isObject(value)) return value;
  const { default: _, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([keyword, part]) => [keyword, withoutDefaults(part)]));
};

/**
 * Removes defaults that Ajv refuses to compile. Ajv fills in the default of a member, but inside alternatives it cannot
 * know which one applies, and the default of a whole shape (the first value of a protocol enumeration) belongs to no
 * member.
 */
const dropIdleDefaults = (node: JsonSchema): JsonSchema => {
  const composed = Object.entries(node).filter(([keyword]) => keyword === 'anyOf' || keyword === 'oneOf');
  if (composed.length === 0) return node;
  return { ...node, ...Object.fromEntries(composed.map(([keyword, parts]) => [keyword, withoutDefaults(parts)])) };
};

const dropRootDefault = ({ default: _, ...node }: JsonSchema): JsonSchema => node;

/**
 * Rejects a member under its name of the other dialect, which would otherwise be dropped silently like any unknown
 * member.
 */
const forbidCounterparts = (node: JsonSchema): JsonSchema => {
  const names = Object.keys((node.properties as object | undefined) ?? {});
  const foreign = names.flatMap((name) => translateName(name) ?? []);
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

const compiled = new WeakMap<TSchema, ValidateFunction>();

/** @returns the schema's validator; all servers of a process share it */
const compile = (schema: TSchema): ValidateFunction => {
  const validate = compiled.get(schema) ?? ajv.compile(dropRootDefault(writeSchema(schema, form)));
  compiled.set(schema, validate);
  return validate;
};

/**
 * @returns a function that returns undefined for valid data, else the errors of the first problem, and fills in
 *   defaults. The schema is compiled on first use, so that the service starts faster.
 * @throws Error on first use for a schema with unknown keywords or formats
 */
export const createCheck = (schema: TSchema): ((data: unknown) => readonly ErrorObject[] | undefined) => {
  let validate: ValidateFunction | undefined;
  return (data) => {
    validate ??= compile(schema);
    return validate(data) ? undefined : (validate.errors ?? []);
  };
};
