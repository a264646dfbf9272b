import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Holding, kindOf, laterCost, settle, unitRate, upgradeCost } from './proration.js';

const starter: Holding = { priceCents: 900, units: 25_000_000, usedUnits: 0, paidCents: 900, balanceCents: 0 };

describe('what an upgrade costs', () => {
  test('the worked example of docs/billing.md', () => {
    expect(upgradeCost({ ...starter, usedUnits: 10_000_001 }, 4900)).toEqual({
      unusedUnits: 14_999_999,
      // 14 999 999 * 900 / 25 000 000 = 539.99...: the part of a cent is not credited
      unusedCents: 539,
      creditCents: 539,
      chargeCents: 4361,
      balanceCents: 0,
    });
  });

  test('nothing used, all used, more than all used', () => {
    expect(upgradeCost(starter, 4900)).toMatchObject({ unusedCents: 900, chargeCents: 4000 });
    expect(upgradeCost({ ...starter, usedUnits: 25_000_000 }, 4900)).toMatchObject({
      unusedCents: 0,
      chargeCents: 4900,
    });
    expect(upgradeCost({ ...starter, usedUnits: 99_000_000 }, 4900)).toMatchObject({
      unusedUnits: 0,
      chargeCents: 4900,
    });
  });

  test('never more than was paid in the period: a trial has no credit, nor has the default plan', () => {
    expect(upgradeCost({ ...starter, paidCents: 0 }, 4900)).toMatchObject({ unusedUnits: 25_000_000, unusedCents: 0 });
    expect(upgradeCost({ ...starter, paidCents: 100 }, 4900)).toMatchObject({ unusedCents: 100, chargeCents: 4800 });
    expect(upgradeCost({ ...starter, priceCents: 0, paidCents: 0 }, 4900)).toMatchObject({ chargeCents: 4900 });
  });

  test('an unlimited plan is credited nothing', () => {
    const unlimited = { ...starter, priceCents: 99_900, units: null, paidCents: 99_900 };
    expect(upgradeCost(unlimited, 199_900)).toMatchObject({ unusedUnits: 0, unusedCents: 0, chargeCents: 199_900 });
    expect(unitRate(unlimited)).toBe(0);
  });

  test('a balance from before is taken off too; what is left of it stays', () => {
    expect(upgradeCost({ ...starter, balanceCents: 5000 }, 4900)).toMatchObject({
      creditCents: 4900,
      chargeCents: 0,
      balanceCents: 1000,
    });
  });

  test('exact where numbers are not: units times price beyond 2^53', () => {
    const huge = { ...starter, priceCents: 99_999_999, paidCents: 99_999_999, units: 999_999_999_999_989 };
    const cost = upgradeCost({ ...huge, usedUnits: 1 }, 100_000_000);
    expect(cost.unusedCents).toBe(Number((999_999_999_999_988n * 99_999_999n) / 999_999_999_999_989n));
    expect(cost.unusedCents).toBe(99_999_998);
  });
});

test('a dearer plan is an upgrade; a cheaper one, and one of the same price, is a downgrade', () => {
  expect([kindOf(900, 901), kindOf(900, 900), kindOf(900, 0), kindOf(0, 0)]).toEqual([
    'upgrade',
    'downgrade',
    'downgrade',
    'downgrade',
  ]);
});

test('a unit is priced in dollars, unrounded', () => {
  expect(unitRate(starter)).toBe(0.000_000_36);
});

const cents = fc.integer({ min: 0, max: 100_000_000 });
const holding = fc.record({
  priceCents: cents,
  units: fc.option(fc.integer({ min: 1, max: 1_000_000_000_000_000 })),
  usedUnits: fc.integer({ min: 0, max: 2_000_000_000_000_000 }),
  paidCents: cents,
  balanceCents: cents,
});

test('credit, charge and balance add up exactly, are never negative, and credit is rounded down', () => {
  fc.assert(
    fc.property(holding, cents, (held, price) => {
      const cost = upgradeCost(held, price);
      expect(cost.creditCents + cost.chargeCents).toBe(price);
      expect(cost.unusedCents + held.balanceCents).toBe(cost.creditCents + cost.balanceCents);
      expect(Math.min(cost.unusedCents, cost.creditCents, cost.chargeCents, cost.balanceCents)).toBeGreaterThanOrEqual(
        0,
      );
      expect(cost.unusedCents).toBeLessThanOrEqual(held.paidCents);
      if (held.units !== null) {
        const worth = BigInt(cost.unusedUnits) * BigInt(held.priceCents);
        expect(BigInt(cost.unusedCents) * BigInt(held.units)).toBeLessThanOrEqual(worth);
        const isCapped = cost.unusedCents === held.paidCents;
        if (!isCapped) expect(BigInt(cost.unusedCents + 1) * BigInt(held.units)).toBeGreaterThan(worth);
      }
    }),
  );
});

test('higher usage never gives a higher credit', () => {
  fc.assert(
    fc.property(holding, cents, fc.integer({ min: 0, max: 1_000_000_000 }), (held, price, more) => {
      const later = upgradeCost({ ...held, usedUnits: held.usedUnits + more }, price);
      expect(later.unusedCents).toBeLessThanOrEqual(upgradeCost(held, price).unusedCents);
    }),
  );
});

test('a change at the end of the period moves no money', () => {
  fc.assert(
    fc.property(holding, (held) => {
      expect(laterCost(held)).toMatchObject({
        unusedCents: 0,
        creditCents: 0,
        chargeCents: 0,
        balanceCents: held.balanceCents,
      });
    }),
  );
  expect(settle(0, 500)).toEqual({ creditCents: 0, chargeCents: 0, balanceCents: 500 });
});
