import { type Cost, type Costed, type Costs, costOf, extentOf } from './cost.js';
import { REFUSAL_UNITS } from './metering.js';
import type { Operation } from './operation.js';

const units = (count: number): string => `${count} compute unit${count === 1 ? '' : 's'}`;

/** @returns `4 compute units for each result that `limit` allows: 100 by default, 400 at most`, in Markdown. */
const price = (operation: Costed, cost: Cost): string => {
  if ('fixed' in cost) return cost.fixed === 0 ? 'no compute units' : units(cost.fixed);
  const { base = 0, each, of } = cost;
  const { isList, most, byDefault } = extentOf(operation, cost);
  const whole = base === 0 ? units(each) : `${units(base)} and ${each} more`;
  const counted = isList ? `each item of \`${of}\`` : `each result that \`${of}\` allows`;
  const bounds = [
    ...(byDefault === undefined ? [] : [`${base + each * byDefault} by default`]),
    ...(most === undefined ? [] : [`${base + each * most} at most`]),
  ].join(', ');
  return `${whole} for ${counted}${bounds === '' ? '' : `: ${bounds}`}`;
};

/** @returns a sentence for the operation's description on the reference page, in Markdown. */
export const tellCost = (operation: Costed, cost: Cost): string => `Costs ${price(operation, cost)}.`;

/** @returns a chapter of the reference page, in Markdown: how costs work, and those of every operation with a key. */
export const tellCosts = (operations: readonly Operation[], costs: Costs): string => {
  const rows = operations
    .filter(({ scope }) => scope !== 'public')
    .map((one) => `| \`${one.method} ${one.path}\` | ${price(one, costOf(costs, one))} |`);
  return [
    '## What calls cost',
    'A call costs compute units, which follow from the request alone: they are known before the call. Each operation ' +
      'says its own, for programs in `x-compute-units` of [openapi.json](openapi.json). Every answer to a call with a ' +
      'key says in the header `x-compute-units` what it did cost.',
    'A call that is refused before its work begins (a bad request, a missing key, too many requests, no units left) ' +
      'costs nothing, and neither does one that fails here (a status from 500 on). A call that is refused later ' +
      '(another status from 400 on, also because nothing is found) costs what the table says, but ' +
      `${REFUSAL_UNITS} compute units at most. One that was given up because it took too long costs its whole price.`,
    'From 80% of the units of a plan on, answers say in `x-compute-units-used`, `x-compute-units-limit` and ' +
      '`x-compute-units-reset` how many are used, of how many, and until which day.',
    ['| Operation | Cost |', '| --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
};
