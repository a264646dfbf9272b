import type { TObject, TSchema } from 'typebox';
import type { Addition, ForEach } from '../http/cost.js';
import type { Operation } from '../http/operation.js';

/** Members of an operation that its cost depends on. */
export type CostedOperation = Pick<Operation, 'id' | 'cost' | 'query' | 'body'>;

export interface MemberBound {
  /** Whether the member is a list, whose items are counted, rather than a number. */
  readonly isList: boolean;
  readonly most: number | undefined;
  readonly byDefault: number | undefined;
}

/** @throws Error when the operation has no such member, or its schema allows requests without it */
export const memberBoundOf = (
  operation: CostedOperation,
  { of, in: place = 'query', most, count }: ForEach,
): MemberBound => {
  if (count !== undefined) return { isList: true, most, byDefault: undefined };
  const schema = operation[place] as TObject | undefined;
  const member = (schema?.properties as Record<string, TSchema> | undefined)?.[of] as
    | { type?: string; maximum?: number; maxItems?: number; default?: number }
    | undefined;
  const isList = member?.type === 'array';
  if (member === undefined || !(isList || member.type === 'integer')) {
    throw new Error(`the cost of ${operation.id} depends on ${of}, which is no list or whole number of its ${place}`);
  }
  const isRequired = (schema?.required as string[] | undefined)?.includes(of) ?? false;
  if (!isRequired && member.default === undefined) {
    throw new Error(`the cost of ${operation.id} depends on ${of}, which may be missing`);
  }
  return { isList, most: isList ? (member.maxItems ?? most) : member.maximum, byDefault: member.default };
};

/** An empty list, which an operation may reject, costs as much as one item. */
const itemsOf = (length: number, most = Number.POSITIVE_INFINITY): number => Math.min(most, Math.max(1, length));

const countOf = (value: unknown, most?: number): number =>
  typeof value === 'number' ? value : itemsOf((value as readonly unknown[]).length, most);

const addedBy = (value: unknown, { each, above = 0 }: Addition): number => each * Math.max(0, Number(value) - above);

/** @throws Error when the query has no such number or flag, or its schema has no default for it */
const boundOf = (
  { id, query }: CostedOperation,
  { of }: Addition,
): { readonly most: number; readonly byDefault: number } => {
  const member = (query?.properties as Record<string, TSchema> | undefined)?.[of] as
    | { type?: string; maximum?: number; default?: number | boolean }
    | undefined;
  const most = member?.type === 'boolean' ? 1 : member?.maximum;
  if (most === undefined || member?.default === undefined) {
    throw new Error(
      `the cost of ${id} depends on ${of}, which is no bounded number or flag of its query with a default`,
    );
  }
  return { most, byDefault: Number(member.default) };
};

/**
 * @returns a function that computes the cost of a valid request, in which defaults are filled in
 * @throws Error immediately for a cost that does not match the operation's schemas
 */
export const createPrice = (operation: CostedOperation): ((query: unknown, body: unknown) => number) => {
  const { cost } = operation;
  if ('fixed' in cost) return () => cost.fixed;
  memberBoundOf(operation, cost);
  const { base = 0, each, of, most, more = [] } = cost;
  for (const addition of more) boundOf(operation, addition);
  const { count } = cost;
  if (count !== undefined) return (_query, body) => base + each * itemsOf(count(body as Buffer), most);
  if (cost.in === 'body') return (_query, body) => base + each * countOf((body as Record<string, unknown>)[of], most);
  return (query) => {
    const members = query as Record<string, unknown>;
    const added = more.reduce((sum, addition) => sum + addedBy(members[addition.of], addition), 0);
    return base + each * countOf(members[of], most) + added;
  };
};

/** @returns default and maximum cost of a call; undefined where the schema has no bound */
export const boundsOf = (
  operation: CostedOperation,
  cost: ForEach,
): { readonly byDefault: number | undefined; readonly most: number | undefined } => {
  const { base = 0, each, more = [] } = cost;
  const { most, byDefault } = memberBoundOf(operation, cost);
  const added = (end: 'most' | 'byDefault'): number =>
    more.reduce((sum, addition) => sum + addedBy(boundOf(operation, addition)[end], addition), 0);
  return {
    byDefault: byDefault === undefined ? undefined : base + each * byDefault + added('byDefault'),
    most: most === undefined ? undefined : base + each * most + added('most'),
  };
};

/**
 * @returns `x-compute-units` of an operation in the OpenAPI document: a number, or an object from which clients calculate
 *   it. `most` is absent without a bound; `most` and `default` include the costs of other members (`more`).
 */
export const writeCost = (operation: CostedOperation): number | object => {
  const { cost } = operation;
  if ('fixed' in cost) return cost.fixed;
  const { base = 0, each, of: per, in: place = 'query', more } = cost;
  const { most, byDefault } = boundsOf(operation, cost);
  return {
    base,
    each,
    per,
    in: place,
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(most === undefined ? {} : { most }),
    ...(more === undefined ? {} : { more: more.map(({ of, ...rest }) => ({ ...rest, per: of })) }),
  };
};
