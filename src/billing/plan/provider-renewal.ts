import type { Session } from '../../db/statement.js';
import { hasInvoiceOfPeriod, selectInvoiceByReference } from '../../store/billing/invoice.js';
import { hasOpenPlanChange } from '../../store/billing/plan-change.js';
import {
  type Subscription,
  selectSubscriptionForUpdate,
  updateSubscription,
} from '../../store/billing/subscription.js';
import type { BillingDependencies } from './dependencies.js';
import { settleOpenInvoice } from './invoice-settlement.js';
import { bookCredit, bookInvoice } from './ledger.js';
import { anchorDayOf, firstPeriod, type Period } from './period.js';

/** A period that the payment provider began, with its invoice. */
export interface Renewal {
  readonly organizationId: string;
  readonly planId: string;
  readonly period: Period;
  readonly invoice: {
    /** The provider's id of the invoice, which is booked once. */
    readonly reference: string;
    readonly priceCents: number;
    /** Credit that the provider was given for this invoice; at most the balance. */
    readonly creditCents: number;
    readonly state: 'open' | 'paid';
  };
  /** The provider's status of the subscription. */
  readonly status: string;
  readonly now: Date;
}

/**
 * renewed: the new period runs. known: the invoice was booked before; if it was open, its payment has been booked.
 * past: a later period runs, or this one already has an invoice; a paid invoice was booked and credited, an open one
 * ignored. later: a plan change is in progress; retry in a minute.
 */
export type RenewalResult = 'renewed' | 'known' | 'past' | 'later';

const bookRenewal = (session: Session, { organizationId, planId, period, invoice, now }: Renewal): Promise<number> =>
  bookInvoice(session, {
    organizationId,
    planChangeId: null,
    planId,
    period,
    priceCents: invoice.priceCents,
    unusedCents: 0,
    creditCents: invoice.creditCents,
    state: invoice.state,
    reference: invoice.reference,
    at: now,
  });

/**
 * Books a paid invoice and credits all of it: its period was not used, because an upgrade has replaced it.
 * @param row locked
 */
export const bookUnused = async (session: Session, row: Subscription, renewal: Renewal): Promise<void> => {
  if (renewal.invoice.state === 'open') return;
  const { organizationId, invoice, now } = renewal;
  const cents = await bookRenewal(session, renewal);
  await bookCredit(session, { organizationId, cents, at: now });
  await updateSubscription(session, organizationId, { creditCents: row.creditCents - invoice.creditCents + cents });
};

const begin = (
  session: Session,
  row: Subscription,
  { organizationId, planId, status, period }: Omit<Renewal, 'invoice'>,
  money: Pick<Subscription, 'paidCents'> & Partial<Pick<Subscription, 'creditCents'>>,
): Promise<void> =>
  updateSubscription(session, organizationId, {
    planId,
    status,
    periodStart: period.start,
    periodEnd: period.end,
    // In a month without the anchor day the period begins or ends on the month's last day instead.
    anchorDay: Math.max(anchorDayOf(period.start), anchorDayOf(period.end)),
    usedUnits: 0,
    ...money,
    ...(row.nextPlanId === planId && { nextPlanId: null }),
  });

/**
 * Applies a period that the provider began, in the caller's transaction, which locks the subscription.
 * @throws Error for an organization that does not exist
 */
export const renewPeriod = async (session: Session, renewal: Renewal): Promise<RenewalResult> => {
  const { organizationId, period, invoice, now } = renewal;
  const row = await selectSubscriptionForUpdate(session, organizationId);
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  const known = await selectInvoiceByReference(session, invoice.reference);
  if (known) {
    if (invoice.state === 'paid') await settleOpenInvoice(session, row, known, now);
    return 'known';
  }
  if (await hasOpenPlanChange(session, organizationId)) return 'later';
  // Another invoice for the running period does not begin it again.
  const isPaidFor = await hasInvoiceOfPeriod(session, organizationId, row.periodStart);
  if (period.start < row.periodStart || (period.start.getTime() === row.periodStart.getTime() && isPaidFor)) {
    await bookUnused(session, row, renewal);
    return 'past';
  }
  const paidCents = await bookRenewal(session, renewal);
  await begin(session, row, renewal, { paidCents, creditCents: row.creditCents - invoice.creditCents });
  return 'renewed';
};

/**
 * Begins a period that has no invoice or whose invoice will never be paid: nothing counts as paid for it. A running
 * period is left unchanged.
 */
export const recordUnpaidPeriod = async (
  session: Session,
  renewal: Omit<Renewal, 'invoice'>,
): Promise<Exclude<RenewalResult, 'known'>> => {
  const { organizationId, period } = renewal;
  const row = await selectSubscriptionForUpdate(session, organizationId);
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  if (row.planId !== null && period.start <= row.periodStart) return 'past';
  if (await hasOpenPlanChange(session, organizationId)) return 'later';
  await begin(session, row, renewal, { paidCents: 0 });
  return 'renewed';
};

/**
 * Applies that the provider ended a subscription: a period with the scheduled free plan or the default plan begins now.
 * Credit remains.
 * @returns later: as {@link renewPeriod}
 */
export const endSubscription = async (
  { plans }: Pick<BillingDependencies, 'plans'>,
  session: Session,
  ended: { readonly organizationId: string; readonly now: Date },
): Promise<'ended' | 'later'> => {
  const { organizationId, now } = ended;
  const row = await selectSubscriptionForUpdate(session, organizationId);
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  if (await hasOpenPlanChange(session, organizationId)) return 'later';
  const next = plans.all.find(({ id }) => id === row.nextPlanId);
  const isFree = next !== undefined && next.priceCents === 0 && next.id !== plans.fallback.id;
  const period = firstPeriod(now);
  await updateSubscription(session, organizationId, {
    planId: isFree ? next.id : null,
    status: isFree ? 'active' : 'canceled',
    trialEnd: null,
    periodStart: period.start,
    periodEnd: period.end,
    anchorDay: anchorDayOf(period.start),
    usedUnits: 0,
    paidCents: 0,
    nextPlanId: null,
    providerSubscriptionId: null,
  });
  return 'ended';
};
