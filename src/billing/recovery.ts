import { type PlanChangeRow, selectStalePlanChanges, updatePlanChangeFailed } from '../store/plan-change.js';
import { applyCharged, applyScheduled, chargeOf, markCharged, tellSchedule } from './plan/change-step.js';
import type { MoneyParts } from './money-parts.js';
import { PaymentFailure, RECOVERY_AGE_MS } from './provider.js';

/** Changes that one run takes up at most. */
const MANY = 100;

/** A change that nothing is charged for is tried again for so long; then the organization has waited enough. */
const ARRANGED_FOR_MS = 60 * 60_000;

/** @throws Error for who operates, when what the provider does at the end of the period is not known */
const arrange = async (parts: MoneyParts, change: PlanChangeRow, now: Date): Promise<void> => {
  try {
    await tellSchedule(parts, change, now);
  } catch (error) {
    // Told, and ended with that.
    if (error instanceof PaymentFailure && error.kind !== 'unavailable') return;
    if (now.getTime() - change.createdAt.getTime() <= ARRANGED_FOR_MS) throw error;
    await updatePlanChangeFailed(parts.db, change.id, 'The provider could not be told.', now);
    const message = `the plan change ${change.id} (${change.kind} to ${change.toPlanId}) was given up: the provider could not be told for an hour. See at the provider what the subscription renews as`;
    throw new Error(message, { cause: error });
  }
  await applyScheduled(parts.db, change, now);
};

const finish = async (parts: MoneyParts, change: PlanChangeRow, now: Date): Promise<void> => {
  const { db, provider } = parts;
  if (change.state === 'charged') return applyCharged(db, change, now);
  if (change.provider !== provider.name) {
    throw new Error(
      `the plan change ${change.id} was begun with ${change.provider}: only that can tell what became of it`,
    );
  }
  if (change.kind !== 'upgrade') return arrange(parts, change, now);
  const outcome = await provider.resolve(await chargeOf(parts, change));
  if (outcome.kind === 'not_charged') {
    await updatePlanChangeFailed(db, change.id, outcome.reason, now);
    return;
  }
  if (await markCharged(db, change, outcome.charged, now)) await applyCharged(db, change, now);
};

/**
 * Finishes the changes that were cut off, or gives them up: what was charged is applied, what was not is not, and where
 * nobody knows the provider is asked, under the change's own idempotency key. Safe to run in several processes at once.
 * @param options.isAlone nobody else can be at work on a change: its age does not matter
 * @param options.failed is told of each change that could not be resolved; it is tried again the next time
 */
export const recoverChanges = async (
  parts: MoneyParts,
  options: {
    readonly now: Date;
    readonly isAlone?: boolean;
    readonly failed: (error: unknown, change: { readonly id: string; readonly organizationId: string }) => void;
    readonly signal?: AbortSignal;
  },
): Promise<void> => {
  const { now, isAlone = false, failed, signal } = options;
  const age = isAlone ? 0 : RECOVERY_AGE_MS;
  for (const change of await selectStalePlanChanges(parts.db, new Date(now.getTime() - age + 1), MANY)) {
    signal?.throwIfAborted();
    try {
      await finish(parts, change, now);
    } catch (error) {
      failed(error, change);
    }
  }
};
