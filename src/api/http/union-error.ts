import type { ErrorObject } from 'ajv';
import { namedSchema } from '../../schema/named.js';

/** What is told of a union none of whose alternatives fits. */
export interface UnionFault {
  /** The fault inside of the alternative that was meant, else the error of the union itself. */
  readonly error: ErrorObject;
  /** Of the union: what the value must be, to be read after "must be". */
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

/** A member that must be absent: `false`, or `not` anything. */
const isForbidden = (member: unknown): boolean =>
  member === false || (typeof member === 'object' && member !== null && 'not' in member);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const alternativesOf = ({ schema }: ErrorObject): Alternative[] =>
  (schema as Alternative[]).map((one) =>
    one.$ref === undefined ? one : ((namedSchema(one.$ref) ?? one) as Alternative),
  );

/**
 * Ajv tells of a union after its alternatives, of which each contributes its first error; that of a union inside comes
 * after those of its own alternatives.
 * @returns the errors of each alternative, in order; each group ends with the alternative's own
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

/** Members that tell alternatives apart, of each: those that it has and some other one has not. */
const ownMembers = (alternatives: readonly Alternative[]): string[][] => {
  const members = alternatives.map(({ properties = {} }) =>
    Object.keys(properties).filter((name) => !isForbidden(properties[name])),
  );
  return members.map((names) => names.filter((name) => members.some((others) => !others.includes(name))));
};

const excludesOthers = ({ additionalProperties, properties = {} }: Alternative): boolean =>
  additionalProperties === false || Object.values(properties).some(isForbidden);

/** `exactly one of {address}, {fid}`: the members that each alternative asks for and that tell it apart. */
const choiceOf = (alternatives: readonly Alternative[], own: readonly string[][]): string | undefined => {
  const asked = alternatives.map(({ required = [] }, place) => required.filter((name) => own[place]?.includes(name)));
  if (asked.some((names) => names.length === 0)) return undefined;
  const head = alternatives.every(excludesOthers) ? 'exactly one of' : 'one of';
  return `${head} ${asked.map((names) => `{${names.join(', ')}}`).join(', ')}`;
};

const article = (word: string): string => (/^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`);

/** @returns `an integer or a string`, for the types of Ajv's keyword `type` */
export const typesText = (types: readonly string[]): string => [...new Set(types)].map(article).join(' or ');

const isSame = (a: ErrorObject, b: ErrorObject): boolean =>
  a.keyword === b.keyword && a.instancePath === b.instancePath && JSON.stringify(a.params) === JSON.stringify(b.params);

/**
 * @param errors Ajv's, the last of which is of a union (`anyOf`), in verbose form
 * @returns what to tell the caller
 */
export const unionFault = (errors: readonly ErrorObject[]): UnionFault => {
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
  const isOneFault = tops.every((top) => isSame(top, tops[0] as ErrorObject));
  if (meant.length > 1 && !isOneFault && isObject(data)) {
    const named = groups.filter((_, place) => own[place]?.some((name) => Object.hasOwn(data, name)));
    if (named.length !== 1 && choice !== undefined) return { error: union, expected: choice };
    if (named.length > 0) meant = named;
  }
  return innermost(meant[0] as ErrorObject[]);
};

const innermost = (group: readonly ErrorObject[]): UnionFault => {
  const last = group.at(-1) as ErrorObject;
  return isUnion(last) ? unionFault(group) : { error: last };
};
