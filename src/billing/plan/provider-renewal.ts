import type { Session } from '../../store/database.js';
import { hasInvoiceOfPeriod, selectInvoiceByReference } from '../../store/invoice.js';
import { isChangeUnderway } from '../../store/plan-change.js';
import { type Subscription, selectSubscriptionForUpdate, updateSubscription } from '../../store/subscription.js';
import { settleOpenInvoice } from './invoice-settlement.js';
import { bookCredit, bookInvoice } from './ledger.js';
import type { MoneyParts } from '../money-parts.js';
import { anchorDayOf, firstPeriod, type Period } from './period.js';

/** A period that an outside provider began, with its invoice. */
export interface Renewal {
  readonly organizationId: string;
  /** What the period is of. */
  readonly planId: string;
  readonly period: Period;
  readonly invoice: {
    /** The provider's name for it: one invoice is taken in once. */
    readonly reference: string;
    readonly priceCents: number;
    /** Of our credit balance, never more than it: what the provider was told to take off. */
    readonly creditCents: number;
    readonly state: 'open' | 'paid';
  };
  /** As the provider words it. */
  readonly status: string;
  readonly now: Date;
}

/**
 * renewed: the new period runs. known: this invoice was taken in before; where it was open and is paid now, that is
 * noted. past: a later period runs already, or this one with an invoice; a paid invoice was booked, and what it covers credited, an open one not
 * taken in. later: a change of plan is under way; tell it again in a minute.
 */
export type Renewed = 'renewed' | 'known' | 'past' | 'later';

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
 * Books a paid invoice and credits all of it: nothing of its period was used, since an upgrade that did not know of it
 * cut it off.
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
    // A period of a month that is too short for the anchor day begins or ends on that day all the same.
    anchorDay: Math.max(anchorDayOf(period.start), anchorDayOf(period.end)),
    usedUnits: 0,
    ...money,
    ...(row.nextPlanId === planId && { nextPlanId: null }),
  });

/**
 * Takes in a period that an outside provider began, inside the caller's transaction. It takes the row's lock; nobody
 * else changes plan, period, use or credit of a subscription.
 * @throws Error for an organization that does not exist
 */
export const renewPeriod = async (session: Session, renewal: Renewal): Promise<Renewed> => {
  const { organizationId, period, invoice, now } = renewal;
  const row = await selectSubscriptionForUpdate(session, organizationId);
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  const known = await selectInvoiceByReference(session, invoice.reference);
  if (known) {
    if (invoice.state === 'paid') await settleOpenInvoice(session, row, known, now);
    return 'known';
  }
  if (await isChangeUnderway(session, organizationId)) return 'later';
  // One more invoice for the period that runs does not begin it again.
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
 * Takes in a period whose invoice will never be paid, or that has none: it begins all the same, and nothing of it counts
 * as paid. A period that runs already goes on.
 */
export const beginUnpaid = async (
  session: Session,
  renewal: Omit<Renewal, 'invoice'>,
): Promise<Exclude<Renewed, 'known'>> => {
  const { organizationId, period } = renewal;
  const row = await selectSubscriptionForUpdate(session, organizationId);
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  if (row.planId !== null && period.start <= row.periodStart) return 'past';
  if (await isChangeUnderway(session, organizationId)) return 'later';
  await begin(session, row, renewal, { paidCents: 0 });
  return 'renewed';
};

/**
 * Takes in that the provider ended a subscription: the organization has the plan that waits, or the default plan, in a
 * period that begins now. Credit stays.
 * @returns later: as in {@link renewPeriod}
 */
export const endSubscription = async (
  { plans }: Pick<MoneyParts, 'plans'>,
  session: Session,
  ended: { readonly organizationId: string; readonly now: Date },
): Promise<'ended' | 'later'> => {
  const { organizationId, now } = ended;
  const row = await selectSubscriptionForUpdate(session, organizationId);
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  if (await isChangeUnderway(session, organizationId)) return 'later';
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
