import type { ErrorObject } from 'ajv';
import { isObject } from '../../is-object.js';
import { namedSchema } from '../../schema/named.js';

/** The error to report for a value that matches no alternative of a union. */
export interface UnionError {
  /** The error within the intended alternative, else the error of the union itself. */
  readonly error: ErrorObject;
  /** For an error of the union itself: what the value must be, in words that follow "must be". */
  readonly expected?: string;
}

interface Alternative {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
}

const isUnion = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/** Whether a member must be absent: its schema is `false` or has `not`. */
const isForbidden = (member: unknown): boolean =>
  member === false || (typeof member === 'object' && member !== null && 'not' in member);

const alternativesOf = ({ schema }: ErrorObject): Alternative[] =>
  (schema as Alternative[]).map((one) =>
    one.$ref === undefined ? one : ((namedSchema(one.$ref) ?? one) as Alternative),
  );

/**
 * Groups Ajv's errors by alternative. Ajv reports the first error of each alternative and then the union; the
 * alternatives of a nested union come before that union.
 * @returns the errors of each alternative, in order; the last error of a group is that of the alternative itself
 */
const groupsOf = (errors: readonly ErrorObject[]): ErrorObject[][] => {
  let end = errors.length - 2;
  const take = (): ErrorObject[] => {
    const last = errors[end] as ErrorObject;
    end -= 1;
    const inside = isUnion(last) ? (last.schema as unknown[]).map(take).reverse().flat() : [];
    return [...inside, last];
  };
  return ((errors.at(-1) as ErrorObject).schema as unknown[]).map(take).reverse();
};

/** @returns the members of each alternative that some other alternative does not have */
const ownMembers = (alternatives: readonly Alternative[]): string[][] => {
  const members = alternatives.map(({ properties = {} }) =>
    Object.keys(properties).filter((name) => !isForbidden(properties[name])),
  );
  return members.map((names) => names.filter((name) => members.some((others) => !others.includes(name))));
};

const excludesOthers = ({ additionalProperties, properties = {} }: Alternative): boolean =>
  additionalProperties === false || Object.values(properties).some(isForbidden);

/** @returns `exactly one of {address}, {fid}`: the required members that distinguish the alternatives */
const choiceOf = (alternatives: readonly Alternative[], own: readonly string[][]): string | undefined => {
  const asked = alternatives.map(({ required = [] }, place) => required.filter((name) => own[place]?.includes(name)));
  if (asked.some((names) => names.length === 0)) return undefined;
  const head = alternatives.every(excludesOthers) ? 'exactly one of' : 'one of';
  return `${head} ${asked.map((names) => `{${names.join(', ')}}`).join(', ')}`;
};

const article = (word: string): string => (/^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`);

/** @returns `an integer or a string`, for types of Ajv's keyword `type` */
export const typesText = (types: readonly string[]): string => [...new Set(types)].map(article).join(' or ');

const isSame = (a: ErrorObject, b: ErrorObject): boolean =>
  a.keyword === b.keyword && a.instancePath === b.instancePath && JSON.stringify(a.params) === JSON.stringify(b.params);

/** @param errors of Ajv in verbose form; the last one is that of a union (`anyOf`) */
export const unionError = (errors: readonly ErrorObject[]): UnionError => {
  const union = errors.at(-1) as ErrorObject;
  const groups = groupsOf(errors);
  const tops = groups.map((group) => group.at(-1) as ErrorObject);
  if (tops.every(({ keyword, instancePath }) => keyword === 'const' && instancePath === union.instancePath)) {
    const values = tops.map(({ params }) => JSON.stringify((params as { allowedValue: unknown }).allowedValue));
    return { error: union, expected: `one of ${values.join(', ')}` };
  }
  const alternatives = alternativesOf(union);
  const own = ownMembers(alternatives);
  const choice = choiceOf(alternatives, own);
  const isOfType = tops.map(({ keyword, instancePath }) => keyword !== 'type' || instancePath !== union.instancePath);
  if (!isOfType.includes(true)) {
    const types = tops.flatMap(({ params }) => (params as { type: string | string[] }).type);
    return { error: union, expected: choice ?? typesText(types) };
  }
  const { data } = union;
  let meant = groups.filter((_, place) => isOfType[place]);
  const isSingleError = tops.every((top) => isSame(top, tops[0] as ErrorObject));
  if (meant.length > 1 && !isSingleError && isObject(data)) {
    const named = groups.filter((_, place) => own[place]?.some((name) => Object.hasOwn(data, name)));
    if (named.length !== 1 && choice !== undefined) return { error: union, expected: choice };
    if (named.length > 0) meant = named;
  }
  return innermost(meant[0] as ErrorObject[]);
};

const innermost = (group: readonly ErrorObject[]): UnionError => {
  const last = group.at(-1) as ErrorObject;
  return isUnion(last) ? unionError(group) : { error: last };
};
