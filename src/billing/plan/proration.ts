import type { Plan } from './plan.js';

/**
 * upgrade: the new plan costs more; it takes effect at once. downgrade: it costs less or the same; it takes effect when
 * the period ends, so that nobody gets new units by going to and fro between plans of one price.
 * keep: it is the present plan, and a downgrade that waits is taken back.
 */
export type ChangeKind = 'upgrade' | 'downgrade' | 'keep';

/** What an organization has, as far as money goes. */
export interface Holding {
  /** US cents a month; 0 for the default plan, which nobody pays for. */
  readonly priceCents: number;
  /** Compute units a period; null: unlimited. */
  readonly units: number | null;
  /** In the running period; may be above `units` where nobody is refused. */
  readonly usedUnits: number;
  /** US cents that settled the running period, by payment or by credit: 0 in a trial. */
  readonly paidCents: number;
  /** US cents of credit from before. */
  readonly balanceCents: number;
}

/** What a change costs, in US cents. Always: unused + balance before = credit + balance after; price = credit + charge. */
export interface Cost {
  /** Units that were paid for and not used; 0 of an unlimited plan. */
  readonly unusedUnits: number;
  /** What they are worth. */
  readonly unusedCents: number;
  /** What the new price is lower by, from the unused units and the balance. */
  readonly creditCents: number;
  readonly chargeCents: number;
  /** Credit that is left for the next invoice. */
  readonly balanceCents: number;
}

/** @returns how many units of the period are left; 0 of an unlimited plan, whose units have no price. */
const unusedUnits = ({ units, usedUnits }: Holding): number => (units === null ? 0 : Math.max(0, units - usedUnits));

/** @returns what a unit costs, in US dollars, unrounded; 0 of an unlimited plan. */
export const unitRate = ({ priceCents, units }: Pick<Plan, 'priceCents' | 'units'>): number =>
  units === null || units === 0 ? 0 : priceCents / (units * 100);

/** floor(unused units * price / units), at most what was paid; exact, though the product goes beyond 2^53. */
const unusedCents = (holding: Holding): number => {
  const { units, priceCents, paidCents } = holding;
  if (units === null || units === 0) return 0;
  const worth = (BigInt(unusedUnits(holding)) * BigInt(priceCents)) / BigInt(units);
  return Math.min(Number(worth), paidCents);
};

/** @returns which kind of change it is to go from one price a month to another. */
export const kindOf = (fromCents: number, toCents: number): 'upgrade' | 'downgrade' =>
  toCents > fromCents ? 'upgrade' : 'downgrade';

/** @returns what is taken off a price, what has to be paid, and what credit is left. */
export const settle = (
  priceCents: number,
  availableCents: number,
): Pick<Cost, 'creditCents' | 'chargeCents' | 'balanceCents'> => {
  const creditCents = Math.min(availableCents, priceCents);
  return { creditCents, chargeCents: priceCents - creditCents, balanceCents: availableCents - creditCents };
};

/**
 * An upgrade ends the running period: its unused units are credited, and the new price is due for a new period.
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

/** A change at the end of the period costs nothing and credits nothing: the period is used to its end. */
export const laterCost = (holding: Holding): Cost => ({
  unusedUnits: unusedUnits(holding),
  unusedCents: 0,
  creditCents: 0,
  chargeCents: 0,
  balanceCents: holding.balanceCents,
});
