import type { Session } from '../../store/database.js';
import { selectOpenInvoices } from '../../store/invoice.js';
import { isChangeUnderway } from '../../store/plan-change.js';
import { type Subscription, selectSubscription, updateSubscription } from '../../store/subscription.js';
import { bookInvoice } from './ledger.js';
import type { MoneyParts } from '../money-parts.js';
import { anchorDayOf, type Period, periodAt } from './period.js';
import type { Plan, Plans } from './plan.js';
import { settle } from './proration.js';
import { lockSubscription } from './subscription-lock.js';

type Renewing = Pick<MoneyParts, 'plans' | 'settlement'>;

/** @returns when the running period is over: a trial may end before it. */
const endOf = ({ status, trialEnd, periodEnd }: Subscription): Date =>
  status === 'trialing' && trialEnd !== null && trialEnd < periodEnd ? trialEnd : periodEnd;

/** @returns whether an outside provider keeps the subscription, begins its periods and collects its invoices. */
export const isKeptOutside = ({ providerSubscriptionId, status }: Subscription): boolean =>
  providerSubscriptionId !== null && status !== 'canceled';

const isDue = (row: Subscription, now: Date): boolean => !isKeptOutside(row) && endOf(row) <= now;

/** What an organization subscribes to from a renewal on. */
interface Following {
  readonly planId: string | null;
  readonly status: string | null;
  /** What the new period is invoiced for; undefined: for nothing. */
  readonly paidPlan?: Plan;
}

const followingOf = (row: Subscription, plans: Plans, start: Date): Following => {
  const { nextPlanId, planId, status } = row;
  if (nextPlanId !== null && nextPlanId === plans.fallback.id) return { planId: null, status: 'canceled' };
  const wanted = nextPlanId ?? planId;
  if (wanted === null || (nextPlanId === null && status === 'canceled')) return { planId: null, status };
  if (nextPlanId === null && status === 'trialing' && row.trialEnd !== null && row.trialEnd > start) {
    return { planId: wanted, status };
  }
  const plan = plans.all.find(({ id }) => id === wanted);
  // A plan that is gone from the file has no price: the organization keeps it, and pays again once the plan is back.
  return { planId: wanted, status: 'active', ...(plan && plan.priceCents > 0 && { paidPlan: plan }) };
};

/** Writes the invoice of a new period. @returns US cents that settle it, and the credit that is left */
const invoice = async (
  { settlement }: Renewing,
  session: Session,
  row: Subscription,
  { plan, period, now }: { readonly plan: Plan; readonly period: Period; readonly now: Date },
): Promise<{ readonly paidCents: number; readonly creditCents: number }> => {
  const { creditCents, balanceCents } = settle(plan.priceCents, row.creditCents);
  const paidCents = await bookInvoice(session, {
    organizationId: row.organizationId,
    planChangeId: null,
    planId: plan.id,
    period,
    priceCents: plan.priceCents,
    unusedCents: 0,
    creditCents,
    state: settlement,
    reference: null,
    at: now,
  });
  return { paidCents, creditCents: balanceCents };
};

/**
 * Begins the period that `now` is in where the running one is over and no outside provider does it: what waits takes
 * effect, use is zero again, and the new period is invoiced. Months that passed meanwhile, since no process ran, are
 * not invoiced. While a change of plan is under way nothing happens: it was reckoned in the period that it found.
 * @param row locked
 * @returns whether it did
 */
export const renewLocked = async (
  parts: Renewing,
  session: Session,
  row: Subscription,
  now: Date,
): Promise<boolean> => {
  if (!isDue(row, now) || (await isChangeUnderway(session, row.organizationId))) return false;
  const ended = endOf(row);
  const anchorDay = ended < row.periodEnd ? anchorDayOf(ended) : row.anchorDay;
  const period = periodAt(ended, anchorDay, now);
  const { planId, status, paidPlan } = followingOf(row, parts.plans, period.start);
  const isBehind = (await selectOpenInvoices(session, row.organizationId)).length > 0;
  const paid = paidPlan
    ? await invoice(parts, session, row, { plan: paidPlan, period, now })
    : { paidCents: 0, creditCents: row.creditCents };
  await updateSubscription(session, row.organizationId, {
    planId,
    status: status === 'active' && isBehind ? 'past_due' : status,
    trialEnd: status === 'trialing' ? row.trialEnd : null,
    periodStart: period.start,
    periodEnd: period.end,
    anchorDay,
    usedUnits: 0,
    nextPlanId: null,
    ...paid,
  });
  return true;
};

/**
 * The same in a transaction of its own. Cheap when the period is not over.
 * @returns whether a new period began
 */
export const renewIfDue = async (
  parts: Pick<MoneyParts, 'db' | 'plans' | 'settlement'>,
  organizationId: string,
  now: Date,
): Promise<boolean> => {
  const seen = await selectSubscription(parts.db, organizationId);
  if (seen === undefined || !isDue(seen, now)) return false;
  return parts.db.transaction(async (session) => {
    const row = await lockSubscription(session, organizationId);
    return row !== undefined && renewLocked(parts, session, row, now);
  });
};
