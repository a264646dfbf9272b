import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../error.js';
import type { Session } from '../store/database.js';
import { insertPlanChange, type PlanChangeRow, updatePlanChangeFailed } from '../store/plan-change.js';
import { upsertPlanPreview } from '../store/plan-preview.js';
import { applyCharged, applyScheduled, chargeOf, markCharged, tellSchedule } from './plan/change-step.js';
import type { MoneyParts } from './money-parts.js';
import type { Plan } from './plan/plan.js';
import { type ChangeKind, type Cost, unitRate } from './plan/proration.js';
import { CHARGE_TIMEOUT_MS, type Charged, PaymentFailure, START_TIMEOUT_MS } from './provider.js';
import { InvoiceOpen, priceOf, reckon, type Wanted } from './plan/change-quote.js';

/** What a change would cost now. */
export interface Preview {
  readonly kind: ChangeKind;
  readonly currentPlan: Plan;
  /** US cents a month that the organization pays for it: 0 when it has it by default. */
  readonly currentPriceCents: number;
  readonly usedUnits: number;
  readonly newPlan: Plan;
  /** US cents a month that the organization would pay for it: 0 for the default plan. */
  readonly newPriceCents: number;
  /** US dollars for a unit of the present plan, unrounded. */
  readonly unitRate: number;
  readonly cost: Cost;
}

/** A change that was made. */
export interface Applied {
  readonly changeId: string;
  readonly kind: ChangeKind;
  readonly newPlan: Plan;
  /** US cents; 0 of a change that waits for the end of the period. */
  readonly creditCents: number;
  readonly chargeCents: number;
}

/** Who asks, for the audit log. */
export interface WantedBy extends Wanted {
  /** Of the API key; null: an operator's command. */
  readonly keyId: string | null;
  readonly requestId: string | null;
}

/**
 * Reckons what a change would cost now, and keeps it: an upgrade to the same plan within ten minutes costs just that.
 * @throws AppError `invalid` (property newPlan) for the plan that the organization has, `conflict` while another change
 * is under way, `payment_required` while an invoice is open
 */
export const previewChange = (parts: MoneyParts, wanted: Wanted): Promise<Preview> =>
  parts.db.transaction(async (session) => {
    const { row, current, holding, kind, cost } = await reckon(parts, session, wanted, false);
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
      newPriceCents: priceOf(parts.plans, plan),
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
 * Writes the change down: from here on it is finished or given up, whatever happens to this process.
 * @throws AppError PaymentUnresolved when nobody knows whether it stands there: recovery may find it
 */
const begin = async (parts: MoneyParts, wanted: WantedBy): Promise<PlanChangeRow> => {
  let isWritten = false;
  const write = async (session: Session): Promise<PlanChangeRow> => {
    isWritten = false;
    const { row, kind, cost, usedUnits } = await reckon(parts, session, wanted, true);
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
      provider: parts.provider.name,
      keyId: wanted.keyId,
      requestId: wanted.requestId,
      createdAt: wanted.now,
    };
    await insertPlanChange(session, change);
    isWritten = true;
    const unknown = { providerReference: null, charged: null, failure: null, toldReference: null, toldState: null };
    return { ...change, state: 'pending', ...unknown };
  };
  try {
    return await parts.db.transaction(write);
  } catch (error) {
    // The answer to the commit is lost: the change may be under way.
    throw isWritten ? unresolved(error) : error;
  }
};

/**
 * The same. Where only the invoice of a renewal is in the way, which the provider will collect in an hour, it is asked to
 * collect it now; nothing of the change is written down before that.
 * @returns the change, and what is asked for: its time is that after the invoice was collected
 */
const beginPaid = async (
  parts: MoneyParts,
  wanted: WantedBy,
): Promise<{ readonly change: PlanChangeRow; readonly asked: WantedBy; readonly began: number }> => {
  const began = performance.now();
  try {
    return { change: await begin(parts, wanted), asked: wanted, began };
  } catch (error) {
    if (!(error instanceof InvoiceOpen)) throw error;
    try {
      for (const reference of error.references) await parts.provider.collect?.(wanted.organizationId, reference);
    } catch (cause) {
      if (!(cause instanceof PaymentFailure)) throw cause;
      throw error;
    }
    const again = performance.now();
    const asked = { ...wanted, now: new Date(wanted.now.getTime() + Math.floor(again - began)) };
    return { change: await begin(parts, asked), asked, began: again };
  }
};

/** Waits no longer than a charge may take: recovery counts on it. */
const inTime = async (charging: Promise<Charged>): Promise<Charged> => {
  const over = new AbortController();
  const late = wait(CHARGE_TIMEOUT_MS, undefined, { signal: over.signal }).then(() => {
    throw new PaymentFailure('unavailable', 'The payment provider did not answer in time.');
  });
  try {
    return await Promise.race([charging, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
};

const charge = async (parts: MoneyParts, change: PlanChangeRow, now: Date): Promise<Charged> => {
  try {
    return await inTime(chargeOf(parts, change).then((told) => parts.provider.charge(told)));
  } catch (error) {
    if (!(error instanceof PaymentFailure) || error.kind === 'unavailable') throw error;
    await updatePlanChangeFailed(parts.db, change.id, error.message, now);
    const { message, paymentMethod } = error;
    if (error.kind === 'not_sold') throw new AppError('internal', 'PaymentUnavailable', message, { cause: error });
    const options = { ...(paymentMethod && { paymentMethod }), cause: error };
    throw new AppError('payment_required', 'PaymentRequired', message, options);
  }
};

/** Who waited long for the row's lock may be taken for dead while the charge runs, so there is none then. */
const requireInTime = async (parts: MoneyParts, change: PlanChangeRow, now: Date, elapsedMs: number): Promise<void> => {
  if (elapsedMs <= START_TIMEOUT_MS) return;
  await updatePlanChangeFailed(parts.db, change.id, 'It took too long to begin.', now);
  const message = 'The database is too busy for a change of the plan. Nothing was charged. Try again shortly.';
  throw new AppError('unavailable', 'ServiceUnavailable', message, { retryAfter: 10 });
};

const arrange = async (parts: MoneyParts, change: PlanChangeRow, now: Date): Promise<void> => {
  try {
    await tellSchedule(parts, change, now);
  } catch (error) {
    if (!(error instanceof PaymentFailure) || error.kind === 'unavailable') throw error;
    throw new AppError('internal', 'PaymentUnavailable', error.message, { cause: error });
  }
};

const carryOut = async (parts: MoneyParts, change: PlanChangeRow, now: Date): Promise<void> => {
  if (change.kind !== 'upgrade') {
    await arrange(parts, change, now);
    return applyScheduled(parts.db, change, now);
  }
  const charged = await charge(parts, change, now);
  if (!(await markCharged(parts.db, change, charged, now))) {
    throw new AppError('conflict', 'ChangeGivenUp', 'The change took too long and was given up. Try again.');
  }
  return applyCharged(parts.db, change, now);
};

/**
 * Changes the plan: an upgrade at once, for what the preview said; anything else when the period ends.
 * @throws AppError as {@link previewChange}; `payment_required` when nothing could be charged; `internal`, code
 * PaymentUnresolved, when nobody knows yet whether it was: recovery finishes the change or gives it up
 */
export const applyChange = async (parts: MoneyParts, wanted: WantedBy): Promise<Applied> => {
  const { change, asked, began } = await beginPaid(parts, wanted);
  try {
    await requireInTime(parts, change, asked.now, performance.now() - began);
    await carryOut(parts, change, asked.now);
  } catch (error) {
    throw error instanceof AppError ? error : unresolved(error);
  }
  const { id, kind, creditCents, chargeCents } = change;
  return { changeId: id, kind, newPlan: wanted.plan, creditCents, chargeCents };
};
