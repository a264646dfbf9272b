import type { Addition } from '../http/cost.js';
import type { Operation } from '../http/operation.js';
import { boundsOf, type CostedOperation, memberBoundOf } from './cost.js';

const units = (count: number): string => `${count} compute unit${count === 1 ? '' : 's'}`;

const addition = ({ each, of, above }: Addition): string =>
  above === undefined ? `${each} with \`${of}\`` : `${each} for each \`${of}\` above ${above}`;

/** @returns Markdown like `4 compute units for each result that `limit` allows: 100 by default, 400 at most` */
const price = (operation: CostedOperation): string => {
  const { cost } = operation;
  if ('fixed' in cost) return cost.fixed === 0 ? 'no compute units' : units(cost.fixed);
  const { base = 0, each, of, more = [] } = cost;
  const { isList } = memberBoundOf(operation, cost);
  const { most, byDefault } = boundsOf(operation, cost);
  const whole = base === 0 ? units(each) : `${units(base)} and ${each} more`;
  const counted = isList ? `each item of \`${of}\`` : `each result that \`${of}\` allows`;
  const bounds = [
    ...(byDefault === undefined ? [] : [`${byDefault} by default`]),
    ...(most === undefined ? [] : [`${most} at most`]),
  ].join(', ');
  const added = more.map((one) => `, ${addition(one)}`).join('');
  return `${whole} for ${counted}${added}${bounds === '' ? '' : `: ${bounds}`}`;
};

/** @returns a sentence for the operation's description in the API reference, in Markdown */
export const describeCost = (operation: CostedOperation): string => `Costs ${price(operation)}.`;

export interface CostRow {
  /** `GET /v2/social/cast/` */
  readonly operation: string;
  /** `4 compute units`, in Markdown. */
  readonly price: string;
}

/** @returns the costs of all operations that need an API key, in their order */
export const costRows = (operations: readonly Operation[]): CostRow[] =>
  operations
    .filter(({ scope }) => scope !== 'public')
    .map((one) => ({ operation: `${one.method} ${one.path}`, price: price(one) }));
