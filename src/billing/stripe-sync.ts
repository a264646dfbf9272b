import type Stripe from 'stripe';
import { AppError } from '../error.js';
import { insertAuditEntry } from '../store/audit-log.js';
import type { Database, Session } from '../store/database.js';
import { selectInvoiceByReference } from '../store/invoice.js';
import {
  isOwnChange,
  selectChangeUnderway,
  selectProviderVersion,
  updateProviderVersion,
} from '../store/provider-account.js';
import {
  type Subscription,
  selectSubscription,
  selectSubscriptionForUpdate,
  updateSubscription,
} from '../store/subscription.js';
import type { Plans } from './plan.js';
import { endSubscription, renewPeriod } from './provider-renewal.js';
import { methodOfRecord } from './stripe-customer.js';
import { creditOf, isDraftRenewal, planOf, takeOffCredit } from './stripe-invoice.js';
import type { StripeParts } from './stripe-provider.js';
import {
  customerOf,
  hasEnded,
  periodOf,
  periodOfInvoice,
  productOf,
  retrieveSubscription,
} from './stripe-subscription.js';

/** What the provider's state is taken in with. */
export interface SyncParts extends StripeParts {
  readonly db: Database;
  readonly plans: Plans;
  /** Told of what an operator has to look at. */
  readonly warn: (details: object, message: string) => void;
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
  readonly invoices: readonly Stripe.Invoice[];
}

/** Tries at a state that others keep changing; then the event comes again later. */
const TRIES = 5;
const RETRY_SECONDS = 60;

const later = (message: string): AppError =>
  new AppError('unavailable', 'ServiceUnavailable', message, { retryAfter: RETRY_SECONDS });

/** @param knownUntil end of the last period that is known here */
const look = async ({ stripe }: SyncParts, sync: Sync, knownUntil: Date): Promise<Seen | undefined> => {
  const subscription = await retrieveSubscription(stripe, sync.subscriptionId);
  if (subscription === undefined) return undefined;
  const { latest_invoice: latest } = subscription;
  const found = typeof latest === 'object' && latest !== null ? [latest] : [];
  if (sync.invoiceId !== undefined && found.every(({ id }) => id !== sync.invoiceId)) {
    found.unshift(await stripe.invoices.retrieve(sync.invoiceId));
  }
  if (!hasEnded(subscription) && periodOf(subscription).start > knownUntil.getTime()) {
    // Whole periods passed of which nothing was heard.
    const { data } = await stripe.invoices.list({ subscription: subscription.id, limit: 100 });
    const missed = data.filter(
      ({ id, created }) => created * 1000 >= knownUntil.getTime() && found.every((one) => one.id !== id),
    );
    found.push(...missed);
  }
  return { subscription, invoices: found.sort((one, other) => one.created - other.created) };
};

/** Books what an invoice says, unless it is of a change of ours, which books its own. */
const takeInvoice = async (
  parts: SyncParts,
  session: Session,
  sync: Sync,
  { subscription, invoice }: { readonly subscription: Stripe.Subscription; readonly invoice: Stripe.Invoice },
): Promise<void> => {
  const { organizationId } = sync;
  const { status, billing_reason: reason, total } = invoice;
  if (status === 'void' || status === 'uncollectible') return;
  const changeId = invoice.parent?.subscription_details?.metadata?.change_id ?? subscription.metadata.change_id;
  const isOwn = reason !== 'subscription_cycle' && changeId !== undefined;
  if (isOwn && (await isOwnChange(session, organizationId, changeId))) return;
  const plan = planOf(parts.plans, subscription);
  if (plan === undefined) {
    parts.warn({ organizationId, invoice: invoice.id }, 'an invoice is of a price that no plan has; it is not booked');
    return;
  }
  const period = periodOfInvoice(invoice) ?? periodOf(subscription);
  const creditCents = creditOf(invoice);
  const renewed = await renewPeriod(session, {
    organizationId,
    planId: plan.id,
    period: { start: new Date(period.start), end: new Date(period.end) },
    invoice: {
      reference: invoice.id,
      priceCents: total + creditCents,
      creditCents,
      state: status === 'paid' ? 'paid' : 'open',
    },
    status: subscription.status,
    now: new Date(parts.clock()),
  });
  if (renewed === 'later') throw later('A change of plan is under way: send the event again in a minute.');
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
    throw later('A change of plan is under way: send the event again in a minute.');
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

const write = async (parts: SyncParts, session: Session, sync: Sync, row: Subscription, seen: Seen): Promise<void> => {
  const { organizationId } = sync;
  const { subscription } = seen;
  const underway = await selectChangeUnderway(session, organizationId);
  // What our own change did is written by the change itself.
  if (underway !== undefined && subscription.metadata.change_id === underway) return;
  if (!(await isTaken(parts, session, row, subscription))) return;
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
    const ended = await endSubscription(parts, session, { organizationId, now: at });
    if (ended === 'later') throw later('A change of plan is under way: send the event again in a minute.');
    return note('subscription.ended');
  }
  if (row.providerSubscriptionId === null) await note('subscription.begun');
  for (const invoice of seen.invoices) await takeInvoice(parts, session, sync, { subscription, invoice });
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
    const draft = seen.invoices.find(isDraftRenewal);
    // One that is booked already says what it takes off.
    const isFresh = draft !== undefined && (await selectInvoiceByReference(db, draft.id)) === undefined;
    const isFree = (await selectChangeUnderway(db, organizationId)) === undefined;
    if (isFresh && isFree && (await takeOffCredit(stripe, draft, before.creditCents)))
      seen = await look(parts, sync, before.periodEnd);
    const now = seen;
    if (now === undefined) return;
    const isDone = await db.transaction(async (session) => {
      const row = await selectSubscriptionForUpdate(session, organizationId);
      const isLatest = (await selectProviderVersion(session, organizationId)) === version;
      if (row === undefined || !isLatest || !isSame(row, before)) return false;
      await write(parts, session, sync, row, now);
      await updateProviderVersion(session, organizationId, sync.eventAt);
      return true;
    });
    if (isDone) return;
  }
  throw later('The subscription keeps changing: send the event again in a minute.');
};
