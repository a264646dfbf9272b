import { type PlanChangeRow, selectStalePlanChanges, updatePlanChangeFailed } from '../../store/billing/plan-change.js';
import { applyCharged, applyScheduled, chargeFor, markCharged, scheduleAtProvider } from './change-step.js';
import type { BillingDependencies } from './dependencies.js';
import { PaymentFailure, RECOVERY_AGE_MS } from './provider.js';

/** Changes that one run resolves at most. */
const MAX_CHANGES = 100;

/** How long the scheduling of a change at the provider is retried before the change is canceled. */
const SCHEDULE_RETRY_MS = 60 * 60_000;

/** @throws Error for the operator, when it is unknown what the provider does at the end of the period */
const schedule = async (deps: BillingDependencies, change: PlanChangeRow, now: Date): Promise<void> => {
  try {
    await scheduleAtProvider(deps, change, now);
  } catch (error) {
    // The provider rejected the change, which has ended with that.
    if (error instanceof PaymentFailure && error.kind !== 'unavailable') return;
    if (now.getTime() - change.createdAt.getTime() <= SCHEDULE_RETRY_MS) throw error;
    await updatePlanChangeFailed(deps.db, change.id, 'The provider could not be notified.', now);
    const message = `the plan change ${change.id} (${change.kind} to ${change.toPlanId}) was given up: the provider could not be notified for an hour. See at the provider what the subscription renews as`;
    throw new Error(message, { cause: error });
  }
  await applyScheduled(deps.db, change, now);
};

const finish = async (deps: BillingDependencies, change: PlanChangeRow, now: Date): Promise<void> => {
  const { db, provider } = deps;
  if (change.state === 'charged') return applyCharged(db, change, now);
  if (change.provider !== provider.name) {
    throw new Error(
      `the plan change ${change.id} was begun with ${change.provider}: only that provider knows what became of it`,
    );
  }
  if (change.kind !== 'upgrade') return schedule(deps, change, now);
  const outcome = await provider.resolve(await chargeFor(deps, change));
  if (outcome.kind === 'not_charged') {
    await updatePlanChangeFailed(db, change.id, outcome.reason, now);
    return;
  }
  if (await markCharged(db, change, outcome.charged, now)) await applyCharged(db, change, now);
};

/**
 * Finishes or cancels interrupted changes: charged ones are applied, others are canceled. If the result of a charge is
 * unknown, it is requested from the provider under the change's idempotency key. Several processes may run it at once.
 * @param options.isAlone no other process can be working on a change, so recent ones are resolved, too
 * @param options.failed called with each change that could not be resolved; it is retried in the next run
 */
export const recoverChanges = async (
  deps: BillingDependencies,
  options: {
    readonly now: Date;
    readonly isAlone?: boolean;
    readonly failed: (error: unknown, change: { readonly id: string; readonly organizationId: string }) => void;
    readonly signal?: AbortSignal;
  },
): Promise<void> => {
  const { now, isAlone = false, failed, signal } = options;
  const age = isAlone ? 0 : RECOVERY_AGE_MS;
  for (const change of await selectStalePlanChanges(deps.db, new Date(now.getTime() - age + 1), MAX_CHANGES)) {
    signal?.throwIfAborted();
    try {
      await finish(deps, change, now);
    } catch (error) {
      failed(error, change);
    }
  }
};
