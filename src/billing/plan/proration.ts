import type { Plan } from './plan.js';

/**
 * upgrade: the new plan costs more and takes effect at once. downgrade: it costs less or the same and takes effect when
 * the period ends, so that switching between plans of one price yields no new units.
 * keep: it is the current plan, and a scheduled downgrade is canceled.
 */
export type ChangeKind = 'upgrade' | 'downgrade' | 'keep';

/** Plan, usage and payments of an organization in its running period. */
export interface Holding {
  /** US cents a month; 0 for the default plan. */
  readonly priceCents: number;
  /** Compute units a period; null: unlimited. */
  readonly units: number | null;
  /** In the running period; may exceed `units` where limits are not enforced. */
  readonly usedUnits: number;
  /** US cents that settled the running period, by payment or by credit: 0 in a trial. */
  readonly paidCents: number;
  /** US cents of credit from earlier periods. */
  readonly balanceCents: number;
}

/** Cost of a plan change in US cents. unused + balance before = credit + balance after, and price = credit + charge. */
export interface Cost {
  /** Paid units that were not used; 0 for an unlimited plan. */
  readonly unusedUnits: number;
  /** Value of the unused units. */
  readonly unusedCents: number;
  /** Reduction of the new price, from the unused units and the balance. */
  readonly creditCents: number;
  readonly chargeCents: number;
  /** Credit left for the next invoices. */
  readonly balanceCents: number;
}

const unusedUnits = ({ units, usedUnits }: Holding): number => (units === null ? 0 : Math.max(0, units - usedUnits));

/** @returns US dollars a unit, unrounded; 0 for an unlimited plan */
export const unitRate = ({ priceCents, units }: Pick<Plan, 'priceCents' | 'units'>): number =>
  units === null || units === 0 ? 0 : priceCents / (units * 100);

/** @returns floor(unused units * price / units), at most the paid amount; in BigInt, as the product may exceed 2^53 */
const unusedCents = (holding: Holding): number => {
  const { units, priceCents, paidCents } = holding;
  if (units === null || units === 0) return 0;
  const worth = (BigInt(unusedUnits(holding)) * BigInt(priceCents)) / BigInt(units);
  return Math.min(Number(worth), paidCents);
};

export const kindOf = (fromCents: number, toCents: number): 'upgrade' | 'downgrade' =>
  toCents > fromCents ? 'upgrade' : 'downgrade';

export const settle = (
  priceCents: number,
  availableCents: number,
): Pick<Cost, 'creditCents' | 'chargeCents' | 'balanceCents'> => {
  const creditCents = Math.min(availableCents, priceCents);
  return { creditCents, chargeCents: priceCents - creditCents, balanceCents: availableCents - creditCents };
};

/**
 * Cost of an upgrade: the unused units of the running period are credited, and the new price is due for a new period.
 * @param priceCents of the new plan
 */
export const upgradeCost = (holding: Holding, priceCents: number): Cost => {
  const cents = unusedCents(holding);
  return {
    unusedUnits: unusedUnits(holding),
    unusedCents: cents,
    ...settle(priceCents, cents + holding.balanceCents),
  };
};

/** Cost of a change at the end of the period: nothing is charged or credited. */
export const laterCost = (holding: Holding): Cost => ({
  unusedUnits: unusedUnits(holding),
  unusedCents: 0,
  creditCents: 0,
  chargeCents: 0,
  balanceCents: holding.balanceCents,
});
