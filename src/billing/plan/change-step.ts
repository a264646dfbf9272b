import { AppError } from '../../error.js';
import { insertAuditEntry } from '../../store/audit-log.js';
import type { Database, Session } from '../../store/database.js';
import { selectPayer } from '../../store/payer.js';
import {
  type PlanChangeRow,
  selectPlanChangeForUpdate,
  updatePlanChangeApplied,
  updatePlanChangeCharged,
  updatePlanChangeChargedLate,
  updatePlanChangeFailed,
  updatePlanChangeRevived,
} from '../../store/plan-change.js';
import {
  limitLockWait,
  type Subscription,
  selectSubscriptionForUpdate,
  updateSubscription,
} from '../../store/subscription.js';
import { endKnownInvoice } from './invoice-settlement.js';
import { bookInvoice } from './ledger.js';
import type { MoneyParts } from '../money-parts.js';
import { anchorDayOf, firstPeriod, type Period } from './period.js';
import { type Charge, type Charged, PaymentFailure } from '../provider.js';
import { LOCK_WAIT_MS } from './subscription-lock.js';

const ACTION: Readonly<Record<PlanChangeRow['kind'], string>> = {
  upgrade: 'plan.upgraded',
  downgrade: 'plan.downgrade_arranged',
  keep: 'plan.downgrade_taken_back',
};

/**
 * @returns the change as the provider is told of it, the same each time but for the names that it gave since
 * @throws AppError 'conflict' when its plan is no longer in the file of plans
 */
export const chargeOf = async ({ db, plans }: MoneyParts, change: PlanChangeRow): Promise<Charge> => {
  const payer = await selectPayer(db, change.organizationId);
  const plan = plans.all.find(({ id }) => id === change.toPlanId);
  if (payer === undefined || plan === undefined) {
    throw new AppError('conflict', 'PlanGone', `The plan ${change.toPlanId} is no longer among the plans.`);
  }
  const { id, organizationId, createdAt, priceCents, creditCents, chargeCents } = change;
  const { name: organizationName, billingEmail, customerId, subscriptionId } = payer;
  return {
    id,
    organizationId,
    organizationName,
    billingEmail,
    customerId,
    subscriptionId,
    plan,
    createdAt,
    priceCents,
    creditCents,
    chargeCents,
  };
};

const note = (session: Session, change: PlanChangeRow, now: Date, until: Date): Promise<void> =>
  insertAuditEntry(session, {
    organizationId: change.organizationId,
    keyId: change.keyId,
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

/** The new period begins with what was used since the cost was reckoned: nothing is free, and nothing paid twice. */
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
  // It was made, and ended before we knew: what is left is the default plan.
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
  const { toldReference: reference, toldState: as } = change;
  if (as !== null && reference === charged.reference) {
    await endKnownInvoice(session, { organizationId, reference, as, now });
  }
};

/** Locks the subscription first, as everybody does, and then the change. Who waits too long leaves it to recovery. */
const lock = async (session: Session, { id, organizationId }: PlanChangeRow) => {
  await limitLockWait(session, LOCK_WAIT_MS);
  const row = await selectSubscriptionForUpdate(session, organizationId);
  const change = await selectPlanChangeForUpdate(session, id);
  if (row === undefined || change === undefined) throw new Error(`the plan change ${id} is gone`);
  return { row, change };
};

/**
 * Notes that a change was charged.
 * @throws AppError 'conflict' when it was given up meanwhile
 */
export const markCharged = (db: Database, { id, provider }: PlanChangeRow, charged: Charged, now: Date) =>
  db.transaction(async (session) => {
    const change = await selectPlanChangeForUpdate(session, id);
    if (change?.state !== 'pending' && change?.state !== 'failed') return true;
    if (await updatePlanChangeCharged(session, id, charged.reference, JSON.stringify(charged), now)) return true;
    // Only a provider that breaks its word comes here, or the ledger, which has taken nothing.
    if (provider !== 'ledger') await updatePlanChangeChargedLate(session, id, charged.reference, now);
    return false;
  });

/** Makes the subscription what a charged upgrade wanted, all in one transaction; once, however often it is called. */
export const applyCharged = (db: Database, of: PlanChangeRow, now: Date): Promise<void> =>
  db.transaction(async (session) => {
    const { row, change } = await lock(session, of);
    if (change.state !== 'charged') return;
    await upgrade(session, row, change, now);
    await updatePlanChangeApplied(session, change.id, now);
    await note(session, change, now, row.periodEnd);
  });

/**
 * Applies an upgrade that was given up and was charged nevertheless, inside the caller's transaction, if the subscription
 * is still what it was reckoned from.
 * @param row locked, as the change is
 * @returns whether it was
 */
export const applyLate = async (
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
  await note(session, change, now, row.periodEnd);
  return true;
};

/** Arranges what waits for the end of the period, or takes it back, once the provider knows. */
export const applyScheduled = (db: Database, of: PlanChangeRow, now: Date): Promise<void> =>
  db.transaction(async (session) => {
    const { row, change } = await lock(session, of);
    if (change.state !== 'pending') return;
    const nextPlanId = change.kind === 'downgrade' ? change.toPlanId : null;
    await updateSubscription(session, change.organizationId, { nextPlanId });
    await updatePlanChangeApplied(session, change.id, now);
    await note(session, change, now, row.periodEnd);
  });

/**
 * Tells the provider, where it keeps the subscription, what happens at the end of the period. Nothing is charged, so
 * what cannot be arranged ends the change.
 * @throws PaymentFailure; the change is `failed` then, unless it is `unavailable`
 */
export const tellSchedule = async (parts: MoneyParts, change: PlanChangeRow, now: Date): Promise<void> => {
  try {
    const told = await chargeOf(parts, change);
    if (told.subscriptionId === null) return;
    if (change.kind !== 'downgrade') return await parts.provider.unschedule(told);
    // Nobody pays for the default plan, whatever its price.
    const isDefault = told.plan.id === parts.plans.fallback.id;
    await parts.provider.schedule(isDefault ? { ...told, plan: { ...told.plan, priceCents: 0 } } : told);
  } catch (error) {
    const isFinal = error instanceof PaymentFailure && error.kind !== 'unavailable';
    if (isFinal) await updatePlanChangeFailed(parts.db, change.id, error.message, now);
    throw error;
  }
};
