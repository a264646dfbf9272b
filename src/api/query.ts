import type { TObject, TSchema } from 'typebox';
import { translateName } from '../schema/wire-names.js';
import { COMMA_SEPARATED, REPEATABLE } from './http/comma-separated.js';
import { InvalidRequest, undeclaredName } from './http/invalid-request.js';
import type { JsonSchema } from './http/json-schema.js';

type Convert = (value: string) => unknown;

/** @returns the JSON types that a schema allows, including its alternatives */
const typesOf = (schema: JsonSchema): string[] => {
  if (schema.type !== undefined) return [schema.type].flat().map(String);
  const values = (schema.enum ?? (schema.const === undefined ? [] : [schema.const])) as unknown[];
  const branches = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  return [...values.map((value) => typeof value), ...branches.flatMap(typesOf)];
};

const MINUS = 45;
const MAX_DIGITS = 16;

/** @returns the integer, or the text if it is none. Hand-written, because requests may have hundreds of ids. */
const toInteger = (text: string): number | string => {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  const digits = text.length - first;
  if (digits < 1 || digits > MAX_DIGITS) return text;
  let value = 0;
  for (let at = first; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return text;
    value = value * 10 + digit;
  }
  return first === 1 && value !== 0 ? -value : value;
};

const toNumber = (text: string): number | string => {
  const value = /^-?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value + 0 : text;
};

const toFlag = (text: string): boolean | string => {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : text;
};

/**
 * @returns the conversion of text to the schema's type. Text that does not fit stays text, so that the validator
 *   reports what was expected: "12abc", "1e3" for an integer, "Infinity", and numbers beyond 2^53.
 */
const converterOf = (schema: TSchema): Convert => {
  const types = new Set(typesOf(schema as unknown as JsonSchema));
  const steps: Convert[] = [];
  if (types.has('integer')) steps.push(toInteger);
  if (types.has('number')) steps.push(toNumber);
  if (types.has('boolean')) steps.push(toFlag);
  const [only = (text: string) => text, ...more] = steps;
  if (more.length === 0) return only;
  return (text) => {
    for (const step of steps) {
      const value = step(text);
      if (typeof value !== 'string') return value;
    }
    return text;
  };
};

const refuse = (name: string, expected: string, received: string): never => {
  const message = `${name} must be ${expected}`;
  throw new InvalidRequest(name, { code: 'InvalidField', expected, received, path: [name], message });
};

const readerOf = (name: string, schema: TSchema): ((value: string | string[]) => unknown) => {
  const { items, ...node } = schema as unknown as JsonSchema & { items?: TSchema };
  const text = (value: string): string =>
    value.includes('\0') ? refuse(name, 'text without the character NUL', 'text with NUL') : value;
  const convert = converterOf(node[COMMA_SEPARATED] === true && items ? items : schema);
  if (node[COMMA_SEPARATED] !== true) {
    if (typesOf(node).includes('array')) throw new Error(`the list ${name} needs commaSeparated()`);
    return (value) => convert(text(typeof value === 'string' ? value : refuse(name, 'given once', 'several values')));
  }
  return (value) => {
    if (typeof value !== 'string' && node[REPEATABLE] !== true) {
      refuse(name, 'given once, as a list with commas', 'several values');
    }
    const whole = text(typeof value === 'string' ? value : value.join(','));
    return whole.trim() === '' ? [] : whole.split(',').map((item) => convert(item.trim()));
  };
};

/**
 * Builds the parser of an operation's query, path parameters or headers. It returns only declared members, splits lists
 * and converts text to numbers and booleans.
 * @param isStrict rejects members that have their name of another dialect
 * @returns a function from raw members (text, or a list of texts where one was repeated) to an object to validate; it
 *   throws InvalidRequest for a repeated single value, for text that cannot be stored, and for a name of another
 *   dialect
 */
export const createReader = (
  schema: TObject,
  isStrict = true,
): ((raw: Readonly<Record<string, string | string[] | undefined>>) => Record<string, unknown>) => {
  const members = Object.entries(schema.properties as Record<string, TSchema>).map(
    ([name, member]) => [name, readerOf(name, member)] as const,
  );
  const foreign = members.flatMap(([name]) => {
    const other = isStrict ? translateName(name) : undefined;
    return other === undefined ? [] : [[other, name] as const];
  });
  return (raw) => {
    const result: Record<string, unknown> = {};
    for (const [other, name] of foreign) if (raw[other] !== undefined) throw undeclaredName([other], name);
    for (const [name, read] of members) {
      const value = raw[name];
      if (value !== undefined) result[name] = read(value);
    }
    return result;
  };
};
