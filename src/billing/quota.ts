import { AppError } from '../error.js';
import type { Standing } from './meter.js';

/** A block is this part of what is left of the plan, so that what a process holds unused is never much of it. */
const BLOCK_PART = 50;
/** Below this, blocks would save too little: each call then takes just what it needs. */
const SMALLEST_BLOCK = 20;
const LARGEST_BLOCK = 1_000_000;

/**
 * How many units a process takes at once where `left` are left to all of them: a fiftieth, at most a million. From 1,000
 * units on down there are no blocks, so that at the edge of a limit no process holds what another one is refused.
 */
export const blockOf = (left: number): number => {
  const block = Math.min(LARGEST_BLOCK, Math.floor(left / BLOCK_PART));
  return block < SMALLEST_BLOCK ? 0 : block;
};

/** What a process wants of an organization's units. */
export interface Wanted {
  /** For all the calls that wait. */
  readonly units: number;
  /** For the cheapest of them: with less than this none of them can go on. */
  readonly least: number;
  /** Nobody waits: units that it holds, which are to become a whole block again. */
  readonly refilled?: number | undefined;
}

/**
 * @param left units of the plan that are neither used nor held
 * @returns how many of them a process gets; fewer than it wants where that is all there is
 */
export const grantOf = (left: number, { units, least, refilled }: Wanted): number => {
  if (refilled !== undefined) return Math.max(0, blockOf(left) - refilled);
  return units === 0 || left < least ? 0 : Math.min(left, Math.max(units, blockOf(left)));
};

const number = new Intl.NumberFormat('en-US');
const UPGRADE = 'POST /portal/subscription/upgrade';

/** Tells with the refusal how the organization stands. */
export class UnitsUsedUp extends AppError {
  constructor(
    message: string,
    readonly standing: Standing,
  ) {
    super('payment_required', 'PaymentRequired', message);
  }
}

/** @returns the error for a call that the plan leaves no units for. */
export const unitsUsedUp = (told: {
  /** Units that are used, or held for calls that are answered now. */
  readonly used: number;
  readonly limit: number;
  /** What the call costs. */
  readonly units: number;
  readonly resetsAt: Date;
}): UnitsUsedUp => {
  const day = told.resetsAt.toISOString().slice(0, 10);
  const used = `${number.format(Math.min(told.used, told.limit))} of ${number.format(told.limit)} compute units`;
  const message = `The organization has used ${used} of its plan, and this call costs ${number.format(told.units)}. They are reset on ${day} (UTC); ${UPGRADE} changes to a larger plan at once.`;
  const { limit, resetsAt } = told;
  return new UnitsUsedUp(message, { used: Math.min(told.used, limit), limit, resetsAt });
};
