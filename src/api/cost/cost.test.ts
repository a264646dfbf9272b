import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { commaSeparated } from '../http/comma-separated.js';
import type { Cost } from '../http/cost.js';
import { createCheck } from '../http/validation.js';
import { operations } from '../operation-list.js';
import { createReader } from '../query.js';
import { type CostedOperation, createPrice, writeCost } from './cost.js';
import { costRows, describeCost } from './text.js';

const query = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  fids: commaSeparated(Type.Integer(), { maxItems: 50 }),
  open: Type.Optional(Type.Integer({ maximum: 9 })),
  q: Type.String(),
});
const body = Type.Object({ recipients: Type.Array(Type.Object({ fid: Type.Integer() })) });
const costed: Omit<CostedOperation, 'cost'> = { id: 'test', query, body };

/** Parses and validates a query as the server does before it computes the price. */
const read = (members: Record<string, string>): unknown => {
  const value = createReader(query)(members);
  expect(createCheck(query)(value)).toBeUndefined();
  return value;
};

describe('a fixed cost', () => {
  const cost: Cost = { fixed: 7 };

  it('is the same whatever is asked for', () => {
    const price = createPrice({ ...costed, cost });
    expect([price({}, undefined), price(read({ fids: '1,2', q: 'x' }), { recipients: [] })]).toEqual([7, 7]);
  });

  it('is a number for programs, and a sentence', () => {
    expect(writeCost({ ...costed, cost })).toBe(7);
    expect(describeCost({ ...costed, cost })).toBe('Costs 7 compute units.');
    expect(describeCost({ ...costed, cost: { fixed: 1 } })).toBe('Costs 1 compute unit.');
    expect(describeCost({ ...costed, cost: { fixed: 0 } })).toBe('Costs no compute units.');
  });
});

describe('a cost for each result', () => {
  const cost: Cost = { each: 4, of: 'limit' };

  it.each([
    [{ limit: '1' }, 4],
    [{ limit: '100' }, 400],
    [{}, 100],
  ])('%j costs %i', (members, units) => {
    expect(createPrice({ ...costed, cost })(read({ fids: '1', q: 'x', ...members }), undefined)).toBe(units);
  });

  it('tells programs and people the default and the bound', () => {
    const written = { base: 0, each: 4, per: 'limit', in: 'query', default: 100, most: 400 };
    expect(writeCost({ ...costed, cost })).toEqual(written);
    expect(describeCost({ ...costed, cost })).toBe(
      'Costs 4 compute units for each result that `limit` allows: 100 by default, 400 at most.',
    );
  });
});

describe('a cost for each item of a list', () => {
  it.each([
    ['7', 12],
    ['7,8,9', 16],
    // Repeated values are charged repeatedly, because the cost depends on the request alone.
    ['7,7', 14],
  ])('of the query: %s costs %i', (fids, units) => {
    const cost: Cost = { base: 10, each: 2, of: 'fids' };
    expect(createPrice({ ...costed, cost })(read({ fids, q: 'x' }), undefined)).toBe(units);
    expect(writeCost({ ...costed, cost })).toEqual({ base: 10, each: 2, per: 'fids', in: 'query', most: 110 });
    expect(describeCost({ ...costed, cost })).toBe(
      'Costs 10 compute units and 2 more for each item of `fids`: 110 at most.',
    );
  });

  it('of the body, which nothing bounds', () => {
    const cost: Cost = { each: 1, of: 'recipients', in: 'body' };
    expect(createPrice({ ...costed, cost })({}, { recipients: [{ fid: 1 }, { fid: 2 }] })).toBe(2);
    // An empty list costs as much as one item.
    expect(createPrice({ ...costed, cost })({}, { recipients: [] })).toBe(1);
    expect(writeCost({ ...costed, cost })).toEqual({ base: 0, each: 1, per: 'recipients', in: 'body' });
    expect(describeCost({ ...costed, cost })).toBe('Costs 1 compute unit for each item of `recipients`.');
  });
});

describe('a cost for each item of a body of bytes', () => {
  const cost: Cost = { each: 100, of: 'messages', in: 'body', count: (bytes) => bytes.length, most: 3 };

  it.each([
    [2, 200],
    [0, 100],
    [9, 300],
  ])('of %i items costs %i', (length, units) => {
    expect(createPrice({ ...costed, cost })({}, Buffer.alloc(length))).toBe(units);
  });

  it('is written as that of a list', () => {
    expect(writeCost({ ...costed, cost })).toEqual({ base: 0, each: 100, per: 'messages', in: 'body', most: 300 });
    expect(describeCost({ ...costed, cost })).toBe('Costs 100 compute units for each item of `messages`: 300 at most.');
  });
});

describe('a cost that other members add to', () => {
  const cost: Cost = {
    base: 4,
    each: 8,
    of: 'limit',
    more: [
      { each: 100, of: 'depth', above: 2 },
      { each: 50, of: 'above' },
    ],
  };
  const members = {
    limit: Type.Integer({ maximum: 50, default: 20 }),
    depth: Type.Integer({ minimum: 0, maximum: 5, default: 2 }),
    above: Type.Boolean({ default: false }),
  };
  const one: CostedOperation = { id: 'test', cost, query: Type.Object(members) };

  it.each([
    [{ limit: 20, depth: 2, above: false }, 164],
    [{ limit: 1, depth: 0, above: false }, 12],
    [{ limit: 1, depth: 5, above: true }, 362],
  ])('%j costs %i', (asked, units) => {
    expect(createPrice(one)(asked, undefined)).toBe(units);
  });

  it('tells programs and people all of it', () => {
    expect(writeCost(one)).toEqual({
      ...{ base: 4, each: 8, per: 'limit', in: 'query', default: 164, most: 754 },
      more: [
        { each: 100, per: 'depth', above: 2 },
        { each: 50, per: 'above' },
      ],
    });
    expect(describeCost(one)).toBe(
      'Costs 4 compute units and 8 more for each result that `limit` allows, 100 for each `depth` above 2, ' +
        '50 with `above`: 164 by default, 754 at most.',
    );
  });

  it('is refused where a member has no bound or no default', () => {
    const open: CostedOperation = {
      id: 'test',
      cost,
      query: Type.Object({ ...members, depth: Type.Integer({ maximum: 5 }) }),
    };
    expect(() => createPrice(open)).toThrow(/depends on depth, which is no bounded number or flag/);
  });
});

describe('a cost that cannot be known', () => {
  it.each<[Cost, RegExp]>([
    [{ each: 1, of: 'missing' }, /no list or whole number of its query/],
    [{ each: 1, of: 'q' }, /no list or whole number of its query/],
    [{ each: 1, of: 'open' }, /may be missing/],
    [{ each: 1, of: 'limit', in: 'body' }, /no list or whole number of its body/],
  ])('%j is refused at once', (cost, message) => {
    expect(() => createPrice({ ...costed, cost })).toThrow(message);
    expect(() => writeCost({ ...costed, cost })).toThrow(message);
  });
});

describe('the operations', () => {
  it.each(operations.map((one) => [one.id, one] as const))('%s costs whole units that its request tells', (id, one) => {
    const { cost } = one;
    expect(() => createPrice(one), id).not.toThrow();
    for (const part of [cost, ...(('more' in cost && cost.more) || [])].flatMap((each) => Object.values(each))) {
      if (typeof part === 'number') expect(Number.isSafeInteger(part) && part >= 0).toBe(true);
    }
  });

  it('are free where they take no key, and for what an organization asks about its bill', () => {
    const free = operations.filter((one) => Object.values(one.cost).includes(0));
    const expected = operations.filter(
      ({ scope, family }) => scope === 'public' || scope === 'operator' || family === 'portal',
    );
    expect(free.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  });

  it('cost 10 to 150 where they write', () => {
    const writes = operations.filter(
      ({ method, scope, family, id }) =>
        method !== 'GET' &&
        family !== 'portal' &&
        !['public', 'portal', 'operator'].includes(scope) &&
        !/^(validate|batch)-/.test(id) &&
        id !== 'hub-validate-message',
    );
    expect(writes.length).toBeGreaterThan(20);
    for (const { id, cost } of writes) {
      const least = 'fixed' in cost ? cost.fixed : (cost.base ?? 0) + cost.each;
      expect(least >= 10 && least <= 150, id).toBe(true);
    }
  });

  it('have a bound where they read', () => {
    for (const one of operations.filter(({ method }) => method === 'GET')) {
      const written = writeCost(one) as number | { most?: number };
      expect(typeof written === 'number' ? written : written.most, one.id).toBeLessThanOrEqual(1000);
    }
  });
});

describe('the page of costs', () => {
  it('lists each operation with a key once', () => {
    const rows = costRows(operations);
    for (const { method, path, scope } of operations) {
      const own = rows.filter(({ operation }) => operation === `${method} ${path}`);
      expect(own, path).toHaveLength(scope === 'public' ? 0 : 1);
    }
    expect(rows).toContainEqual({ operation: 'POST /v2/social/cast/', price: '150 compute units' });
  });
});
