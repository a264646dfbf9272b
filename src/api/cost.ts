import type { TObject, TSchema } from 'typebox';
import type { Operation } from './operation.js';

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
export const extentOf = (operation: Costed, { of, in: place = 'query' }: ForEach): Extent => {
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
  return { isList, most: isList ? member.maxItems : member.maximum, byDefault: member.default };
};

const countOf = (value: unknown): number => (typeof value === 'number' ? value : (value as readonly unknown[]).length);

/**
 * @returns what a valid request costs; its query and body have their defaults.
 * @throws Error at once for a cost that does not fit the operation's schemas.
 */
export const createPrice = (operation: Costed, cost: Cost): ((query: unknown, body: unknown) => number) => {
  if ('fixed' in cost) return () => cost.fixed;
  extentOf(operation, cost);
  const { base = 0, each, of } = cost;
  if (cost.in === 'body') return (_query, body) => base + each * countOf((body as Record<string, unknown>)[of]);
  return (query) => base + each * countOf((query as Record<string, unknown>)[of]);
};

/**
 * @returns the same for programs, `x-compute-units` of an operation in the OpenAPI document: units, or what they follow
 *   from. `most` is left out where nothing bounds it.
 */
export const writeCost = (operation: Costed, cost: Cost): number | object => {
  if ('fixed' in cost) return cost.fixed;
  const { base = 0, each, of: per, in: place = 'query' } = cost;
  const { most, byDefault } = extentOf(operation, cost);
  return {
    base,
    each,
    per,
    in: place,
    ...(byDefault === undefined ? {} : { default: base + each * byDefault }),
    ...(most === undefined ? {} : { most: base + each * most }),
  };
};
