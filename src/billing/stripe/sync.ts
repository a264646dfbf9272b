import type Stripe from 'stripe';
import { insertAuditEntry } from '../../store/audit-log.js';
import type { Database, Session } from '../../store/database.js';
import { selectInvoiceByReference } from '../../store/invoice.js';
import { selectChangeUnderway, selectProviderVersion, updateProviderVersion } from '../../store/provider-account.js';
import { type Subscription, selectSubscription, updateSubscription } from '../../store/subscription.js';
import { beginUnpaid, endSubscription } from '../plan/provider-renewal.js';
import {
  type BookingParts,
  keepForChange,
  later,
  laterThanChange,
  type SeenInvoice,
  settleKnown,
  takeInvoice,
  takeLateCharge,
} from './invoice-recording.js';
import { methodOfRecord } from './customer.js';
import { isDraftRenewal, planOf, priceOfInvoice, takeOffCredit } from './invoice.js';
import type { StripeParts } from '../stripe-provider.js';
import { customerOf, hasEnded, periodOf, productOf, retrieveSubscription } from './subscription.js';
import { lockSubscription } from '../plan/subscription-lock.js';

/** What the provider's state is taken in with. */
export interface SyncParts extends StripeParts, BookingParts {
  readonly db: Database;
}

/** What to look at: where the news came from. */
export interface Sync {
  readonly organizationId: string;
  readonly subscriptionId: string;
  /** Of the invoice that the news is of; undefined: the latest alone. */
  readonly invoiceId?: string | undefined;
  /** Of the event; null: nobody told, it was asked for. */
  readonly eventAt: Date | null;
}

interface Seen {
  readonly subscription: Stripe.Subscription;
  /** The oldest first. */
  readonly invoices: readonly SeenInvoice[];
}

/** @returns the invoice; undefined: the provider has none of that name (any more: drafts can be deleted). */
const retrieveInvoice = async ({ stripe }: SyncParts, id: string): Promise<Stripe.Invoice | undefined> => {
  try {
    return await stripe.invoices.retrieve(id);
  } catch (error) {
    if ((error as { code?: string }).code === 'resource_missing') return undefined;
    throw error;
  }
};

/** Tries at a state that others keep changing; then the event comes again later. */
const TRIES = 5;

/** @param knownUntil end of the last period that is known here */
const look = async (parts: SyncParts, sync: Sync, knownUntil: Date): Promise<Seen | undefined> => {
  const { stripe } = parts;
  const subscription = await retrieveSubscription(stripe, sync.subscriptionId);
  if (subscription === undefined) return undefined;
  const { latest_invoice: latest } = subscription;
  const found = typeof latest === 'object' && latest !== null ? [latest] : [];
  if (sync.invoiceId !== undefined && found.every(({ id }) => id !== sync.invoiceId)) {
    const told = await retrieveInvoice(parts, sync.invoiceId);
    if (told !== undefined) found.unshift(told);
  }
  if (hasEnded(subscription) || periodOf(subscription).start > knownUntil.getTime()) {
    // Whole periods may have passed of which nothing was heard.
    const { data } = await stripe.invoices.list({ subscription: subscription.id, limit: 100 });
    const missed = data.filter(
      ({ id, created }) => created * 1000 >= knownUntil.getTime() && found.every((one) => one.id !== id),
    );
    found.push(...missed);
  }
  const invoices: SeenInvoice[] = [];
  for (const invoice of found.sort((one, other) => one.created - other.created)) {
    const price = await priceOfInvoice(stripe, subscription, invoice);
    invoices.push({ organizationId: sync.organizationId, subscription, invoice, price });
  }
  return { subscription, invoices };
};

/** Whether the subscription is one to take in: the organization's own, or its first one, which an operator began. */
const isTaken = async (
  parts: SyncParts,
  session: Session,
  row: Subscription,
  subscription: Stripe.Subscription,
): Promise<boolean> => {
  const { organizationId, providerSubscriptionId } = row;
  if (providerSubscriptionId === subscription.id) return true;
  if (hasEnded(subscription)) return false;
  if ((await selectChangeUnderway(session, organizationId)) !== undefined) {
    throw laterThanChange();
  }
  const plan = planOf(parts.plans, subscription);
  if (providerSubscriptionId === null && plan !== undefined && subscription.status !== 'incomplete') return true;
  const why = plan === undefined ? 'its price is of no plan' : 'the organization has another one';
  parts.warn({ organizationId, subscription: subscription.id }, `a subscription is left out: ${why}`);
  return false;
};

/** Writes down what the provider says beside money: status, trial, product, payment method, end of the period. */
const writeState = async (session: Session, before: Subscription, seen: Stripe.Subscription): Promise<void> => {
  const row = await selectSubscription(session, before.organizationId);
  const method = methodOfRecord(customerOf(seen), seen);
  const period = periodOf(seen);
  const customer = customerOf(seen);
  await updateSubscription(session, before.organizationId, {
    provider: 'stripe',
    providerSubscriptionId: seen.id,
    ...(customer && { customerId: customer.id }),
    status: seen.status,
    trialEnd: seen.status === 'trialing' && seen.trial_end !== null ? new Date(seen.trial_end * 1000) : null,
    // While another plan waits for the end of the period, the provider shows that one already.
    ...(row?.nextPlanId === null && { productId: productOf(seen) }),
    ...(row?.periodStart.getTime() === period.start && { periodEnd: new Date(period.end) }),
    paymentBrand: method?.brand ?? null,
    paymentLast4: method?.last4 ?? null,
  });
};

/** Whether an invoice is paid or owed: of a subscription that has ended a draft is left, and stays one. */
const isCollected = ({ invoice: { status } }: SeenInvoice): boolean => status !== 'draft' && status !== 'void';

/** A subscription is of a plan, even where no invoice began a period of it. */
const beginPlan = async (
  parts: SyncParts,
  session: Session,
  { organizationId }: Sync,
  subscription: Stripe.Subscription,
): Promise<void> => {
  const plan = planOf(parts.plans, subscription);
  const row = await selectSubscription(session, organizationId);
  if (row === undefined || row.planId !== null || plan === undefined) return;
  const { start, end } = periodOf(subscription);
  const begun = await beginUnpaid(session, {
    organizationId,
    planId: plan.id,
    period: { start: new Date(start), end: new Date(end) },
    status: subscription.status,
    now: new Date(parts.clock()),
  });
  if (begun === 'later') throw laterThanChange();
  const details = { organizationId, subscription: subscription.id };
  parts.warn(details, 'a subscription is taken in without an invoice; nothing of its period counts as paid');
};

const write = async (parts: SyncParts, session: Session, sync: Sync, seen: Seen): Promise<void> => {
  const { organizationId } = sync;
  const { subscription } = seen;
  const underway = await selectChangeUnderway(session, organizationId);
  for (const invoice of seen.invoices) await settleKnown(parts, session, invoice);
  // What our own change did is written by the change itself.
  if (underway !== undefined && subscription.metadata.change_id === underway) {
    for (const invoice of seen.invoices) await keepForChange(session, invoice);
    return;
  }
  for (const invoice of seen.invoices) await takeLateCharge(parts, session, invoice);
  const row = await selectSubscription(session, organizationId);
  if (row === undefined || !(await isTaken(parts, session, row, subscription))) return;
  const at = new Date(parts.clock());
  const note = (action: string) =>
    insertAuditEntry(session, {
      organizationId,
      keyId: null,
      action,
      detail: { subscriptionId: subscription.id, status: subscription.status },
      requestId: null,
      at,
    });
  if (hasEnded(subscription)) {
    // Renewals that nobody told of are booked, as if they had been told in time.
    for (const seenInvoice of seen.invoices.filter(isCollected)) await takeInvoice(parts, session, seenInvoice);
    const ended = await endSubscription(parts, session, { organizationId, now: at });
    if (ended === 'later') throw laterThanChange();
    return note('subscription.ended');
  }
  if (row.providerSubscriptionId === null) await note('subscription.begun');
  for (const invoice of seen.invoices) await takeInvoice(parts, session, invoice);
  await beginPlan(parts, session, sync, subscription);
  await writeState(session, row, subscription);
  await tellOther(parts, session, sync, subscription);
};

/** An operator may have changed the price in the provider's dashboard: that is not followed. */
const tellOther = async (parts: SyncParts, session: Session, { organizationId }: Sync, seen: Stripe.Subscription) => {
  const row = await selectSubscription(session, organizationId);
  const plan = planOf(parts.plans, seen);
  if (row === undefined || plan === undefined || plan.id === row.planId || plan.id === row.nextPlanId) return;
  if ((await selectChangeUnderway(session, organizationId)) !== undefined) return;
  const details = { organizationId, subscription: seen.id, plan: row.planId, theirs: plan.id };
  parts.warn(details, 'the payment provider has another plan for an organization than we have');
};

/** Whether our row is still what it was when the provider was asked. */
const isSame = (one: Subscription, other: Subscription): boolean =>
  one.planId === other.planId &&
  one.creditCents === other.creditCents &&
  one.providerSubscriptionId === other.providerSubscriptionId &&
  one.periodStart.getTime() === other.periodStart.getTime();

/**
 * Makes ours what the provider's state is now. Events only say that there is news, in any order and more than once:
 * what they carry is not looked at. Whoever asked before somebody else wrote asks again.
 * @throws AppError 'unavailable' while a change of plan is under way that the news does not belong to
 */
export const takeIn = async (parts: SyncParts, sync: Sync): Promise<void> => {
  const { db, stripe } = parts;
  const { organizationId } = sync;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const version = await selectProviderVersion(db, organizationId);
    const before = await selectSubscription(db, organizationId);
    if (version === undefined || before === undefined) return;
    let seen = await look(parts, sync, before.periodEnd);
    if (seen === undefined) return;
    const draft = seen.invoices.find(({ invoice }) => isDraftRenewal(invoice))?.invoice;
    // One that is booked already says what it takes off.
    const isFresh = draft !== undefined && (await selectInvoiceByReference(db, draft.id)) === undefined;
    const isFree = (await selectChangeUnderway(db, organizationId)) === undefined;
    if (isFresh && isFree && (await takeOffCredit(stripe, draft, before.creditCents)))
      seen = await look(parts, sync, before.periodEnd);
    const now = seen;
    if (now === undefined) return;
    const isDone = await db.transaction(async (session) => {
      const row = await lockSubscription(session, organizationId);
      const isLatest = (await selectProviderVersion(session, organizationId)) === version;
      if (row === undefined || !isLatest || !isSame(row, before)) return false;
      await write(parts, session, sync, now);
      await updateProviderVersion(session, organizationId, sync.eventAt);
      return true;
    });
    if (isDone) return;
  }
  throw later('The subscription keeps changing: send the event again in a minute.');
};
