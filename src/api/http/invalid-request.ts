import type { ErrorObject } from 'ajv';
import { AppError, type Problem } from '../../error.js';
import { translateName } from '../../schema/wire-names.js';
import { typesText, type UnionError, unionError } from './union-error.js';

/**
 * A request that its schema rejects; `property` is the invalid top-level member, `problem` has the exact path. Both use
 * the member names of the request.
 */
export class InvalidRequest extends AppError {
  constructor(
    property: string,
    readonly problem: Problem,
    hubCode?: string,
  ) {
    const options = { property, problems: [problem], ...(hubCode === undefined ? {} : { hubCode }) };
    super('invalid', 'InvalidField', problem.message, options);
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a date and time like 2024-02-29T12:00:00Z',
  uri: 'an absolute URI',
  uuid: 'a UUID',
  byte: 'base64',
  int32: 'a whole number of at most 32 bits',
  int64: 'a whole number of at most 53 bits',
  uint64: 'a whole number of at most 53 bits, not negative',
};

const values = (list: readonly unknown[]): string => list.map((value) => JSON.stringify(value)).join(', ');

/** What a keyword requires, in words that follow "must be". */
const EXPECTATIONS: Readonly<Record<string, (params: Record<string, unknown>) => string>> = {
  type: ({ type }) => typesText([type].flat() as string[]),
  enum: ({ allowedValues }) => `one of ${values(allowedValues as unknown[])}`,
  const: ({ allowedValue }) => JSON.stringify(allowedValue),
  format: ({ format }) => FORMATS[String(format)] ?? `of the format ${format}`,
  pattern: ({ pattern }) => `of the form ${pattern}`,
  minimum: ({ limit }) => `at least ${limit}`,
  maximum: ({ limit }) => `at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `less than ${limit}`,
  minLength: ({ limit }) => `at least ${limit} characters long`,
  maxLength: ({ limit }) => `at most ${limit} characters long`,
  minItems: ({ limit }) => `a list of at least ${limit}`,
  maxItems: ({ limit }) => `a list of at most ${limit}`,
  uniqueItems: () => 'a list without repetitions',
};

const typeOf = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** @returns the members of a JSON pointer: `/embeds/0/url` -> embeds, 0, url */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** @returns a path as text: `embeds[0].url` */
const formatPath = (path: readonly string[]): string =>
  path.reduce((text, part) => {
    if (/^\d+$/.test(part)) return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');

/**
 * @returns the error to report: that of a member under its name in the other dialect if there is one; for a union, the
 *   error in the intended alternative, or what is expected where that is unknown
 */
const choose = (errors: readonly ErrorObject[]): UnionError => {
  const error = errors.at(-1) as ErrorObject;
  if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') return { error };
  const foreign = errors.find(
    ({ keyword, instancePath }) =>
      keyword === 'false schema' && translateName(pathOf(instancePath).at(-1) ?? '') !== undefined,
  );
  return foreign ? { error: foreign } : unionError(errors);
};

/**
 * @param path of a member or a header that has its name of the other dialect
 * @param right its name in this dialect
 */
export const undeclaredName = (path: readonly string[], right: string): InvalidRequest => {
  const message = `${formatPath(path)} is called ${right} at this path`;
  const problem = { code: 'InvalidField', expected: right, received: path.at(-1) ?? '', path: [...path], message };
  return new InvalidRequest(path[0] ?? right, problem);
};

/**
 * Converts Ajv's errors to the error for the caller.
 * @param whole name of the checked value, for errors of no particular member (`body`)
 * @param base path of the checked value in the request; empty by default
 */
export const invalidRequest = (
  errors: readonly ErrorObject[],
  whole: string,
  base: readonly string[] = [],
): InvalidRequest => {
  const { error, expected: alternatives } = choose(errors);
  const params = error.params as Record<string, unknown>;
  const missing = params.missingProperty ?? params.additionalProperty;
  const path = [...base, ...pathOf(error.instancePath)];
  if (typeof missing === 'string') path.push(missing);
  const right = error.keyword === 'false schema' ? translateName(path.at(-1) ?? '') : undefined;
  if (right !== undefined) return undeclaredName(path, right);
  const where = path.length === 0 ? `the ${whole}` : formatPath(path);
  let expected = alternatives ?? EXPECTATIONS[error.keyword]?.(params) ?? 'of one of the allowed forms';
  let message = `${where} must be ${expected}`;
  if (error.keyword === 'required') {
    expected = 'a value';
    message = `${where} is required`;
  } else if (error.keyword === 'additionalProperties' || error.keyword === 'not') {
    expected = 'nothing';
    message = `${where} is not a member that is known here`;
  }
  const received = typeOf(error.keyword === 'required' ? undefined : error.data);
  return new InvalidRequest(path[0] ?? whole, { code: 'InvalidField', expected, received, path, message });
};
