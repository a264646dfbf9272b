import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { AppError } from '../../error.js';
import { insertAuditEntry } from '../../store/access/audit-log.js';
import { selectBillingContact } from '../../store/billing/billing-contact.js';
import {
  type PlanChangeRow,
  selectPlanChangeForUpdate,
  updatePlanChangeApplied,
  updatePlanChangeCharged,
  updatePlanChangeChargedLate,
  updatePlanChangeFailed,
  updatePlanChangeRevived,
} from '../../store/billing/plan-change.js';
import {
  limitLockWait,
  type Subscription,
  selectSubscriptionForUpdate,
  updateSubscription,
} from '../../store/billing/subscription.js';
import type { BillingDependencies } from './dependencies.js';
import { endKnownInvoice } from './invoice-settlement.js';
import { bookInvoice } from './ledger.js';
import { anchorDayOf, firstPeriod, type Period } from './period.js';
import { type Charge, type Charged, PaymentFailure } from './provider.js';
import { LOCK_WAIT_MS } from './subscription-lock.js';

const ACTION: Readonly<Record<PlanChangeRow['kind'], string>> = {
  upgrade: 'plan.upgraded',
  downgrade: 'plan.downgrade_arranged',
  keep: 'plan.downgrade_taken_back',
};

/**
 * @returns the provider's input; on repetition only the provider's ids may differ
 * @throws AppError 'conflict' when its plan is no longer in the file of plans
 */
export const chargeFor = async ({ db, plans }: BillingDependencies, change: PlanChangeRow): Promise<Charge> => {
  const payer = await selectBillingContact(db, change.organizationId);
  const plan = plans.all.find(({ id }) => id === change.toPlanId);
  if (payer === undefined || plan === undefined) {
    throw new AppError('conflict', 'PlanGone', `The plan ${change.toPlanId} is no longer among the plans.`);
  }
  const { id, organizationId, createdAt, priceCents, creditCents, chargeCents } = change;
  const { name: organizationName, ...contact } = payer;
  return { id, organizationId, organizationName, ...contact, plan, createdAt, priceCents, creditCents, chargeCents };
};

const audit = (session: Session, change: PlanChangeRow, now: Date, until: Date): Promise<void> =>
  insertAuditEntry(session, {
    organizationId: change.organizationId,
    keyId: change.apiKeyId,
    action: ACTION[change.kind],
    detail: {
      changeId: change.id,
      fromPlanId: change.fromPlanId,
      toPlanId: change.toPlanId,
      creditCents: change.creditCents,
      chargeCents: change.chargeCents,
      effectiveAt: (change.kind === 'downgrade' ? until : change.createdAt).toISOString(),
    },
    requestId: change.requestId,
    at: now,
  });

const namesOf = ({ names }: Charged): Partial<Subscription> => ({
  ...(names.customerId !== undefined && { customerId: names.customerId }),
  ...(names.subscriptionId !== undefined && { providerSubscriptionId: names.subscriptionId }),
  ...(names.productId !== undefined && { productId: names.productId }),
  ...(names.paymentMethod && { paymentBrand: names.paymentMethod.brand, paymentLast4: names.paymentMethod.last4 }),
});

/** The new period begins with the units used since the cost was calculated: they are neither free nor paid twice. */
const upgrade = async (session: Session, row: Subscription, change: PlanChangeRow, now: Date): Promise<void> => {
  const charged = change.charged as Charged;
  const { organizationId, priceCents, unusedCents, creditCents, createdAt } = change;
  const period: Period = charged.period
    ? { start: new Date(charged.period.start), end: new Date(charged.period.end) }
    : firstPeriod(createdAt);
  const paidCents = await bookInvoice(session, {
    organizationId,
    planChangeId: change.id,
    planId: change.toPlanId,
    period,
    priceCents,
    unusedCents,
    creditCents,
    state: charged.invoice,
    reference: charged.reference,
    at: now,
  });
  // The subscription ended before the charge was recorded: the default plan applies.
  const hasEnded = charged.status === 'canceled';
  await updateSubscription(session, organizationId, {
    planId: hasEnded ? null : change.toPlanId,
    status: charged.status,
    trialEnd: null,
    periodStart: period.start,
    periodEnd: period.end,
    anchorDay: anchorDayOf(period.start),
    usedUnits: Math.max(0, row.usedUnits - change.usedUnits),
    paidCents: hasEnded ? 0 : paidCents,
    creditCents: row.creditCents + unusedCents - creditCents,
    nextPlanId: null,
    provider: change.provider,
    ...namesOf(charged),
    ...(hasEnded && { providerSubscriptionId: null }),
  });
  const { reportedReference: reference, reportedState: as } = change;
  if (as !== null && reference === charged.reference) {
    await endKnownInvoice(session, { organizationId, reference, as, now });
  }
};

/** Locks the subscription, then the change: the order of all transactions. After a lock timeout recovery finishes it. */
const lock = async (session: Session, { id, organizationId }: PlanChangeRow) => {
  await limitLockWait(session, LOCK_WAIT_MS);
  const row = await selectSubscriptionForUpdate(session, organizationId);
  const change = await selectPlanChangeForUpdate(session, id);
  if (row === undefined || change === undefined) throw new Error(`the plan change ${id} is gone`);
  return { row, change };
};

/** Marks a change as charged. @returns false if it was canceled before and stays so */
export const markCharged = (db: Database, { id, provider }: PlanChangeRow, charged: Charged, now: Date) =>
  db.transaction(async (session) => {
    const change = await selectPlanChangeForUpdate(session, id);
    if (change?.state !== 'pending' && change?.state !== 'failed') return true;
    if (await updatePlanChangeCharged(session, id, charged.reference, JSON.stringify(charged), now)) return true;
    // Reached if a provider charges a change after `not_charged`, or by the ledger, which has charged nothing.
    if (provider !== 'ledger') await updatePlanChangeChargedLate(session, id, charged.reference, now);
    return false;
  });

/** Applies a charged upgrade to the subscription in one transaction; once, however often it is called. */
export const applyCharged = (db: Database, of: PlanChangeRow, now: Date): Promise<void> =>
  db.transaction(async (session) => {
    const { row, change } = await lock(session, of);
    if (change.state !== 'charged') return;
    await upgrade(session, row, change, now);
    await updatePlanChangeApplied(session, change.id, now);
    await audit(session, change, now, row.periodEnd);
  });

/**
 * Applies an upgrade that was given up and was charged nevertheless, inside the caller's transaction, if the subscription
 * has not changed since its cost was calculated.
 * @param row locked, as the change is
 * @returns whether it was applied
 */
export const applyLateCharge = async (
  session: Session,
  row: Subscription,
  { change, charged, now }: { readonly change: PlanChangeRow; readonly charged: Charged; readonly now: Date },
): Promise<boolean> => {
  const isSame =
    row.planId === change.fromPlanId &&
    row.periodStart.getTime() === change.periodStart.getTime() &&
    row.creditCents + change.unusedCents >= change.creditCents;
  if (change.state !== 'failed' || !isSame) return false;
  await updatePlanChangeRevived(session, change.id, charged.reference, JSON.stringify(charged), now);
  await upgrade(session, row, { ...change, charged }, now);
  await updatePlanChangeApplied(session, change.id, now);
  await audit(session, change, now, row.periodEnd);
  return true;
};

/** Stores or cancels the plan of the next period, after the provider was updated. */
export const applyScheduled = (db: Database, of: PlanChangeRow, now: Date): Promise<void> =>
  db.transaction(async (session) => {
    const { row, change } = await lock(session, of);
    if (change.state !== 'pending') return;
    const nextPlanId = change.kind === 'downgrade' ? change.toPlanId : null;
    await updateSubscription(session, change.organizationId, { nextPlanId });
    await updatePlanChangeApplied(session, change.id, now);
    await audit(session, change, now, row.periodEnd);
  });

/**
 * Schedules the change of the next period at the provider, where it manages the subscription. Nothing is charged, so a
 * final error ends the change.
 * @throws PaymentFailure; the change is `failed` then, unless it is `unavailable`
 */
export const scheduleAtProvider = async (
  deps: BillingDependencies,
  change: PlanChangeRow,
  now: Date,
): Promise<void> => {
  try {
    const scheduled = await chargeFor(deps, change);
    if (scheduled.subscriptionId === null) return;
    if (change.kind !== 'downgrade') return await deps.provider.unschedule(scheduled);
    // The default plan costs nothing, even if it has a price.
    const isDefault = scheduled.plan.id === deps.plans.fallback.id;
    await deps.provider.schedule(isDefault ? { ...scheduled, plan: { ...scheduled.plan, priceCents: 0 } } : scheduled);
  } catch (error) {
    const isFinal = error instanceof PaymentFailure && error.kind !== 'unavailable';
    if (isFinal) await updatePlanChangeFailed(deps.db, change.id, error.message, now);
    throw error;
  }
};
