import type { TObject, TSchema } from 'typebox';
import type { Operation } from '../operation.js';

/** What a call costs in compute units: one price, whatever is asked for. */
interface Fixed {
  readonly fixed: number;
}

/** A price for each of what a member of the request asks for: the number in `limit`, or the length of `fids`. */
export interface ForEach {
  /** Comes on top, once a call. */
  readonly base?: number;
  readonly each: number;
  readonly of: string;
  /** Where the member stands; in the query unless told. */
  readonly in?: 'query' | 'body';
  /** The most items that are paid for, where the schema does not bound the list: the operation refuses longer ones. */
  readonly most?: number;
  /** What other members of the query add. */
  readonly more?: readonly Addition[];
}

/** So many units for each that a number is above `above`, or for a flag that is set. */
export interface Addition {
  readonly each: number;
  readonly of: string;
  readonly above?: number;
}

/** Follows from the request alone, so that a caller knows it before the call. Whole numbers. */
export type Cost = Fixed | ForEach;

/** By operation id. */
export type Costs = Readonly<Record<string, Cost>>;

/** What of an operation its cost has to do with. */
export type Costed = Pick<Operation, 'id' | 'query' | 'body'>;

/** How much a member can ask for, as far as its schema bounds it. */
export interface Extent {
  /** Whether the member is a list, whose items count; else it is a number. */
  readonly isList: boolean;
  readonly most: number | undefined;
  readonly byDefault: number | undefined;
}

/** @throws Error for an operation without a cost. */
export const costOf = (costs: Costs, { id }: Pick<Operation, 'id'>): Cost => {
  const cost = costs[id];
  if (cost === undefined) throw new Error(`${id} has no row in src/api/cost-table.ts: say what a call costs`);
  return cost;
};

/** @throws Error when the operation has no such member, or its schema lets a request come without it. */
export const extentOf = (operation: Costed, { of, in: place = 'query', most }: ForEach): Extent => {
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

/** An empty list, which an operation may refuse, counts as one item: it is a call like any other. */
const countOf = (value: unknown, most = Number.POSITIVE_INFINITY): number =>
  typeof value === 'number' ? value : Math.min(most, Math.max(1, (value as readonly unknown[]).length));

const addedBy = (value: unknown, { each, above = 0 }: Addition): number => each * Math.max(0, Number(value) - above);

/** @throws Error when the query has no such number or flag, or its schema gives it no default. */
const boundOf = ({ id, query }: Costed, { of }: Addition): { readonly most: number; readonly byDefault: number } => {
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
 * @returns what a valid request costs; its query and body have their defaults.
 * @throws Error at once for a cost that does not fit the operation's schemas.
 */
export const createPrice = (operation: Costed, cost: Cost): ((query: unknown, body: unknown) => number) => {
  if ('fixed' in cost) return () => cost.fixed;
  extentOf(operation, cost);
  const { base = 0, each, of, most, more = [] } = cost;
  for (const addition of more) boundOf(operation, addition);
  if (cost.in === 'body') return (_query, body) => base + each * countOf((body as Record<string, unknown>)[of], most);
  return (query) => {
    const members = query as Record<string, unknown>;
    const added = more.reduce((sum, addition) => sum + addedBy(members[addition.of], addition), 0);
    return base + each * countOf(members[of], most) + added;
  };
};

/** @returns what a call costs by default and at most, as far as the schema of its operation says. */
export const boundsOf = (
  operation: Costed,
  cost: ForEach,
): { readonly byDefault: number | undefined; readonly most: number | undefined } => {
  const { base = 0, each, more = [] } = cost;
  const { most, byDefault } = extentOf(operation, cost);
  const added = (end: 'most' | 'byDefault'): number =>
    more.reduce((sum, addition) => sum + addedBy(boundOf(operation, addition)[end], addition), 0);
  return {
    byDefault: byDefault === undefined ? undefined : base + each * byDefault + added('byDefault'),
    most: most === undefined ? undefined : base + each * most + added('most'),
  };
};

/**
 * @returns the same for programs, `x-compute-units` of an operation in the OpenAPI document: units, or what they follow
 *   from. `most` is left out where nothing bounds it; it and `default` count what other members (`more`) add.
 */
export const writeCost = (operation: Costed, cost: Cost): number | object => {
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
