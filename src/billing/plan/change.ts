import { randomUUID } from 'node:crypto';
import type { Session } from '../../db/statement.js';
import { AppError } from '../../error.js';
import { insertPlanChange, type PlanChangeRow, updatePlanChangeFailed } from '../../store/billing/plan-change.js';
import { upsertPlanPreview } from '../../store/billing/plan-preview.js';
import { withTimeout } from '../../timeout.js';
import { InvoiceOpen, priceOf, quotePlanChange, type Wanted } from './change-quote.js';
import { applyCharged, applyScheduled, chargeFor, markCharged, scheduleAtProvider } from './change-step.js';
import type { BillingDependencies } from './dependencies.js';
import type { Plan } from './plan.js';
import { type ChangeKind, type Cost, unitRate } from './proration.js';
import { CHARGE_TIMEOUT_MS, type Charged, PaymentFailure, START_TIMEOUT_MS } from './provider.js';

/** Cost of a plan change at this moment. */
export interface Preview {
  readonly kind: ChangeKind;
  readonly currentPlan: Plan;
  /** US cents a month that the organization pays for it; 0 for the default plan. */
  readonly currentPriceCents: number;
  readonly usedUnits: number;
  readonly newPlan: Plan;
  /** US cents a month that the organization would pay for it; 0 for the default plan. */
  readonly newPriceCents: number;
  /** US dollars for a unit of the current plan, unrounded. */
  readonly unitRate: number;
  readonly cost: Cost;
}

/** A plan change that was made or scheduled. */
export interface Applied {
  readonly changeId: string;
  readonly kind: ChangeKind;
  readonly newPlan: Plan;
  /** US cents; 0 for a change at the end of the period. */
  readonly creditCents: number;
  readonly chargeCents: number;
}

/** A request with its origin for the audit log. */
export interface AuditedPlanChangeRequest extends Wanted {
  /** API key of the request; null: an operator's command. */
  readonly keyId: string | null;
  readonly requestId: string | null;
}

/**
 * Calculates the cost of a plan change and stores it: an upgrade to the same plan within ten minutes has that price.
 * @throws AppError `invalid` (property newPlan) for the current plan, `conflict` while another change is in progress,
 * `payment_required` while an invoice is open
 */
export const previewChange = (deps: BillingDependencies, wanted: Wanted): Promise<Preview> =>
  deps.db.transaction(async (session) => {
    const { row, current, holding, kind, cost } = await quotePlanChange(deps, session, wanted, false);
    const { organizationId, plan, now } = wanted;
    if (kind === 'upgrade') {
      await upsertPlanPreview(session, {
        organizationId,
        planId: plan.id,
        fromPlanId: row.planId,
        periodStart: row.periodStart,
        paidCents: row.paidCents,
        balanceCents: row.creditCents,
        priceCents: plan.priceCents,
        usedUnits: row.usedUnits,
        unusedCents: cost.unusedCents,
        createdAt: now,
      });
    }
    return {
      kind,
      currentPlan: current,
      currentPriceCents: holding.priceCents,
      usedUnits: holding.usedUnits,
      newPlan: plan,
      newPriceCents: priceOf(deps.plans, plan),
      unitRate: unitRate(holding),
      cost,
    };
  });

const unresolved = (cause: unknown): AppError => {
  const message =
    'It is not known yet whether the change was made: the payment provider did not say. It is being found out, and the change is finished or given up within minutes. See the billing record before you try again.';
  return new AppError('internal', 'PaymentUnresolved', message, { cause });
};

/**
 * Stores the change. From then on recovery finishes or cancels it if this process stops.
 * @throws AppError PaymentUnresolved when the response to the commit was lost, so that recovery may find the change
 */
const begin = async (deps: BillingDependencies, wanted: AuditedPlanChangeRequest): Promise<PlanChangeRow> => {
  let isWritten = false;
  const write = async (session: Session): Promise<PlanChangeRow> => {
    isWritten = false;
    const { row, kind, cost, usedUnits } = await quotePlanChange(deps, session, wanted, true);
    const change = {
      id: randomUUID(),
      organizationId: wanted.organizationId,
      kind,
      fromPlanId: row.planId,
      toPlanId: wanted.plan.id,
      priceCents: kind === 'upgrade' ? wanted.plan.priceCents : 0,
      unusedCents: cost.unusedCents,
      creditCents: cost.creditCents,
      chargeCents: cost.chargeCents,
      usedUnits,
      periodStart: row.periodStart,
      provider: deps.provider.name,
      apiKeyId: wanted.keyId,
      requestId: wanted.requestId,
      createdAt: wanted.now,
    };
    await insertPlanChange(session, change);
    isWritten = true;
    const unknown = {
      providerReference: null,
      charged: null,
      failure: null,
      reportedReference: null,
      reportedState: null,
    };
    return { ...change, state: 'pending', updatedAt: wanted.now, ...unknown };
  };
  try {
    return await deps.db.transaction(write);
  } catch (error) {
    // The response to the commit was lost, so the change may be stored.
    throw isWritten ? unresolved(error) : error;
  }
};

/**
 * Stores the change as `begin` does. If only the open invoice of a renewal prevents it, the provider first charges that
 * invoice now instead of in an hour.
 * @returns the change, and the request with the time after the invoice was charged
 */
const beginPaid = async (
  deps: BillingDependencies,
  wanted: AuditedPlanChangeRequest,
): Promise<{
  readonly change: PlanChangeRow;
  readonly requested: AuditedPlanChangeRequest;
  readonly began: number;
}> => {
  const began = performance.now();
  try {
    return { change: await begin(deps, wanted), requested: wanted, began };
  } catch (error) {
    if (!(error instanceof InvoiceOpen)) throw error;
    try {
      for (const reference of error.references) await deps.provider.collect?.(wanted.organizationId, reference);
    } catch (cause) {
      if (!(cause instanceof PaymentFailure)) throw cause;
      throw error;
    }
    const again = performance.now();
    const requested = { ...wanted, now: new Date(wanted.now.getTime() + Math.floor(again - began)) };
    return { change: await begin(deps, requested), requested, began: again };
  }
};

/** Limits the wait to `CHARGE_TIMEOUT_MS`: recovery assumes that charges have ended by then. */
const inTime = (charging: Promise<Charged>): Promise<Charged> =>
  withTimeout(
    charging,
    CHARGE_TIMEOUT_MS,
    () => new PaymentFailure('unavailable', 'The payment provider did not answer in time.'),
  );

const charge = async (deps: BillingDependencies, change: PlanChangeRow, now: Date): Promise<Charged> => {
  try {
    return await inTime(chargeFor(deps, change).then((request) => deps.provider.charge(request)));
  } catch (error) {
    if (!(error instanceof PaymentFailure) || error.kind === 'unavailable') throw error;
    await updatePlanChangeFailed(deps.db, change.id, error.message, now);
    const { message, paymentMethod } = error;
    if (error.kind === 'not_sold') throw new AppError('internal', 'PaymentUnavailable', message, { cause: error });
    const options = { ...(paymentMethod && { paymentMethod }), cause: error };
    throw new AppError('payment_required', 'PaymentRequired', message, options);
  }
};

/** Cancels a change that waited long for the row's lock: recovery could take it over during the charge. */
const requireInTime = async (
  deps: BillingDependencies,
  change: PlanChangeRow,
  now: Date,
  elapsedMs: number,
): Promise<void> => {
  if (elapsedMs <= START_TIMEOUT_MS) return;
  await updatePlanChangeFailed(deps.db, change.id, 'It took too long to begin.', now);
  const message = 'The database is too busy for a change of the plan. Nothing was charged. Try again shortly.';
  throw new AppError('unavailable', 'ServiceUnavailable', message, { retryAfter: 10 });
};

const schedule = async (deps: BillingDependencies, change: PlanChangeRow, now: Date): Promise<void> => {
  try {
    await scheduleAtProvider(deps, change, now);
  } catch (error) {
    if (!(error instanceof PaymentFailure) || error.kind === 'unavailable') throw error;
    throw new AppError('internal', 'PaymentUnavailable', error.message, { cause: error });
  }
};

const carryOut = async (deps: BillingDependencies, change: PlanChangeRow, now: Date): Promise<void> => {
  if (change.kind !== 'upgrade') {
    await schedule(deps, change, now);
    return applyScheduled(deps.db, change, now);
  }
  const charged = await charge(deps, change, now);
  if (!(await markCharged(deps.db, change, charged, now))) {
    throw new AppError('conflict', 'ChangeGivenUp', 'The change took too long and was given up. Try again.');
  }
  return applyCharged(deps.db, change, now);
};

/**
 * Changes the plan: an upgrade at once, at the price of the preview; any other change when the period ends.
 * @throws AppError as {@link previewChange}; `payment_required` when nothing could be charged; `internal`, code
 * PaymentUnresolved, when the result of the charge is unknown: recovery finishes or cancels the change
 */
export const applyChange = async (deps: BillingDependencies, wanted: AuditedPlanChangeRequest): Promise<Applied> => {
  const { change, requested, began } = await beginPaid(deps, wanted);
  try {
    await requireInTime(deps, change, requested.now, performance.now() - began);
    await carryOut(deps, change, requested.now);
  } catch (error) {
    throw error instanceof AppError ? error : unresolved(error);
  }
  const { id, kind, creditCents, chargeCents } = change;
  return { changeId: id, kind, newPlan: wanted.plan, creditCents, chargeCents };
};
