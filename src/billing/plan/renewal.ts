import type { Session } from '../../db/statement.js';
import { selectOpenInvoices } from '../../store/billing/invoice.js';
import { hasOpenPlanChange } from '../../store/billing/plan-change.js';
import { type Subscription, selectSubscription, updateSubscription } from '../../store/billing/subscription.js';
import type { BillingDependencies } from './dependencies.js';
import { bookInvoice } from './ledger.js';
import { anchorDayOf, type Period, periodAt } from './period.js';
import type { Plan, Plans } from './plan.js';
import { settle } from './proration.js';
import { lockSubscription } from './subscription-lock.js';

type Renewing = Pick<BillingDependencies, 'plans' | 'settlement'>;

/** @returns the end of the running period, or of a trial that ends before it */
const endOf = ({ status, trialEnd, periodEnd }: Subscription): Date =>
  status === 'trialing' && trialEnd !== null && trialEnd < periodEnd ? trialEnd : periodEnd;

/** @returns whether a payment provider manages the subscription: its periods and its invoices */
export const isProviderManaged = ({ providerSubscriptionId, status }: Subscription): boolean =>
  providerSubscriptionId !== null && status !== 'canceled';

const isDue = (row: Subscription, now: Date): boolean => !isProviderManaged(row) && endOf(row) <= now;

/** Plan of an organization from a renewal on. */
interface Following {
  readonly planId: string | null;
  readonly status: string | null;
  /** The plan that the new period is invoiced for; undefined: no invoice. */
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
  // A plan that is no longer in the file has no price: the organization keeps it, and pays again once it is back.
  return { planId: wanted, status: 'active', ...(plan && plan.priceCents > 0 && { paidPlan: plan }) };
};

/** Stores the invoice of a new period. @returns US cents that settle it, and the remaining credit */
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
 * Begins the period that contains `now` if the running one has ended and no provider manages the subscription: a
 * scheduled change takes effect, usage is reset and the new period is invoiced. Months in which no process ran are not
 * invoiced. While a plan change is in progress, nothing happens, because its cost belongs to the old period.
 * @param row locked
 * @returns whether a new period began
 */
export const renewLocked = async (deps: Renewing, session: Session, row: Subscription, now: Date): Promise<boolean> => {
  if (!isDue(row, now) || (await hasOpenPlanChange(session, row.organizationId))) return false;
  const ended = endOf(row);
  const anchorDay = ended < row.periodEnd ? anchorDayOf(ended) : row.anchorDay;
  const period = periodAt(ended, anchorDay, now);
  const { planId, status, paidPlan } = followingOf(row, deps.plans, period.start);
  const isBehind = (await selectOpenInvoices(session, row.organizationId)).length > 0;
  const paid = paidPlan
    ? await invoice(deps, session, row, { plan: paidPlan, period, now })
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
 * Renews a period as {@link renewLocked}, in its own transaction. Only one read if the period has not ended.
 * @returns whether a new period began
 */
export const renewIfDue = async (
  deps: Pick<BillingDependencies, 'db' | 'plans' | 'settlement'>,
  organizationId: string,
  now: Date,
): Promise<boolean> => {
  const seen = await selectSubscription(deps.db, organizationId);
  if (seen === undefined || !isDue(seen, now)) return false;
  return deps.db.transaction(async (session) => {
    const row = await lockSubscription(session, organizationId);
    return row !== undefined && renewLocked(deps, session, row, now);
  });
};
