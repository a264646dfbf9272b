import type Stripe from 'stripe';
import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { insertAuditEntry } from '../../store/access/audit-log.js';
import { selectInvoiceByReference } from '../../store/billing/invoice.js';
import { selectOpenPlanChange } from '../../store/billing/plan-change.js';
import { selectProviderVersion, updateProviderVersion } from '../../store/billing/provider-account.js';
import { type Subscription, selectSubscription, updateSubscription } from '../../store/billing/subscription.js';
import { endSubscription, recordUnpaidPeriod } from '../plan/provider-renewal.js';
import { lockSubscription } from '../plan/subscription-lock.js';
import type { StripeDependencies } from './client.js';
import { methodOfRecord } from './customer.js';
import { deductCredit, isDraftRenewal, planOf, priceOfInvoice } from './invoice.js';
import {
  type BookingDependencies,
  later,
  laterThanChange,
  recordForChange,
  recordInvoice,
  recordLateCharge,
  type SeenInvoice,
  settleKnown,
} from './invoice-recording.js';
import { customerOf, hasEnded, periodOf, productOf, retrieveSubscription } from './subscription.js';

export interface SyncDependencies extends StripeDependencies, BookingDependencies {
  readonly db: Database;
}

/** Subscription to fetch, and the event that caused it. */
export interface Sync {
  readonly organizationId: string;
  readonly subscriptionId: string;
  /** Invoice of the event; undefined: only the latest invoice is fetched. */
  readonly invoiceId?: string | undefined;
  /** Time of the event; null: the state is fetched without an event. */
  readonly eventAt: Date | null;
}

interface Seen {
  readonly subscription: Stripe.Subscription;
  /** The oldest first. */
  readonly invoices: readonly SeenInvoice[];
}

/** @returns undefined for an unknown id, as drafts can be deleted */
const retrieveInvoice = async ({ stripe }: SyncDependencies, id: string): Promise<Stripe.Invoice | undefined> => {
  try {
    return await stripe.invoices.retrieve(id);
  } catch (error) {
    if ((error as { code?: string }).code === 'resource_missing') return undefined;
    throw error;
  }
};

/** Attempts while other processes change the state; after that Stripe sends the event again. */
const MAX_ATTEMPTS = 5;

/** @param knownUntil end of the last stored period */
const fetchState = async (deps: SyncDependencies, sync: Sync, knownUntil: Date): Promise<Seen | undefined> => {
  const { stripe } = deps;
  const subscription = await retrieveSubscription(stripe, sync.subscriptionId);
  if (subscription === undefined) return undefined;
  const { latest_invoice: latest } = subscription;
  const found = typeof latest === 'object' && latest !== null ? [latest] : [];
  if (sync.invoiceId !== undefined && found.every(({ id }) => id !== sync.invoiceId)) {
    const invoice = await retrieveInvoice(deps, sync.invoiceId);
    if (invoice !== undefined) found.unshift(invoice);
  }
  if (hasEnded(subscription) || periodOf(subscription).start > knownUntil.getTime()) {
    // Events of whole periods may be missing.
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

/** @returns whether the subscription is the organization's own, or its first one, which an operator created */
const isAdopted = async (
  deps: SyncDependencies,
  session: Session,
  row: Subscription,
  subscription: Stripe.Subscription,
): Promise<boolean> => {
  const { organizationId, providerSubscriptionId } = row;
  if (providerSubscriptionId === subscription.id) return true;
  if (hasEnded(subscription)) return false;
  if ((await selectOpenPlanChange(session, organizationId)) !== undefined) {
    throw laterThanChange();
  }
  const plan = planOf(deps.plans, subscription);
  if (providerSubscriptionId === null && plan !== undefined && subscription.status !== 'incomplete') return true;
  const why = plan === undefined ? 'its price is of no plan' : 'the organization has another one';
  deps.warn({ organizationId, subscription: subscription.id }, `a subscription is left out: ${why}`);
  return false;
};

/** Stores status, trial, product, payment method and end of the period. */
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
    // With a scheduled change Stripe already returns the product of the next plan.
    ...(row?.nextPlanId === null && { productId: productOf(seen) }),
    ...(row?.periodStart.getTime() === period.start && { periodEnd: new Date(period.end) }),
    paymentBrand: method?.brand ?? null,
    paymentLast4: method?.last4 ?? null,
  });
};

/** @returns whether an invoice is paid or due; an ended subscription may leave a draft, which stays one */
const isCollected = ({ invoice: { status } }: SeenInvoice): boolean => status !== 'draft' && status !== 'void';

/** Stores the plan of a subscription whose period no invoice has begun. */
const beginPlan = async (
  deps: SyncDependencies,
  session: Session,
  { organizationId }: Sync,
  subscription: Stripe.Subscription,
): Promise<void> => {
  const plan = planOf(deps.plans, subscription);
  const row = await selectSubscription(session, organizationId);
  if (row === undefined || row.planId !== null || plan === undefined) return;
  const { start, end } = periodOf(subscription);
  const begun = await recordUnpaidPeriod(session, {
    organizationId,
    planId: plan.id,
    period: { start: new Date(start), end: new Date(end) },
    status: subscription.status,
    now: new Date(deps.clock()),
  });
  if (begun === 'later') throw laterThanChange();
  const details = { organizationId, subscription: subscription.id };
  deps.warn(details, 'a subscription is taken in without an invoice; nothing of its period counts as paid');
};

const write = async (deps: SyncDependencies, session: Session, sync: Sync, seen: Seen): Promise<void> => {
  const { organizationId } = sync;
  const { subscription } = seen;
  const inFlight = await selectOpenPlanChange(session, organizationId);
  for (const invoice of seen.invoices) await settleKnown(deps, session, invoice);
  // A plan change of this service stores its own result.
  if (inFlight !== undefined && subscription.metadata.change_id === inFlight) {
    for (const invoice of seen.invoices) await recordForChange(session, invoice);
    return;
  }
  for (const invoice of seen.invoices) await recordLateCharge(deps, session, invoice);
  const row = await selectSubscription(session, organizationId);
  if (row === undefined || !(await isAdopted(deps, session, row, subscription))) return;
  const at = new Date(deps.clock());
  const audit = (action: string) =>
    insertAuditEntry(session, {
      organizationId,
      action,
      detail: { subscriptionId: subscription.id, status: subscription.status },
      at,
    });
  if (hasEnded(subscription)) {
    // Renewals whose events are missing are booked first.
    for (const providerInvoice of seen.invoices.filter(isCollected))
      await recordInvoice(deps, session, providerInvoice);
    const ended = await endSubscription(deps, session, { organizationId, now: at });
    if (ended === 'later') throw laterThanChange();
    return audit('subscription.ended');
  }
  if (row.providerSubscriptionId === null) await audit('subscription.begun');
  for (const invoice of seen.invoices) await recordInvoice(deps, session, invoice);
  await beginPlan(deps, session, sync, subscription);
  await writeState(session, row, subscription);
  await reportPriceMismatch(deps, session, sync, subscription);
};

/** Logs a price that an operator changed in Stripe's dashboard, which is not applied. */
const reportPriceMismatch = async (
  deps: SyncDependencies,
  session: Session,
  { organizationId }: Sync,
  seen: Stripe.Subscription,
) => {
  const row = await selectSubscription(session, organizationId);
  const plan = planOf(deps.plans, seen);
  if (row === undefined || plan === undefined || plan.id === row.planId || plan.id === row.nextPlanId) return;
  if ((await selectOpenPlanChange(session, organizationId)) !== undefined) return;
  const details = { organizationId, subscription: seen.id, plan: row.planId, theirs: plan.id };
  deps.warn(details, 'the payment provider has another plan for an organization than we have');
};

/** @returns whether the stored subscription is unchanged since Stripe was called */
const isSame = (one: Subscription, other: Subscription): boolean =>
  one.planId === other.planId &&
  one.creditCents === other.creditCents &&
  one.providerSubscriptionId === other.providerSubscriptionId &&
  one.periodStart.getTime() === other.periodStart.getTime();

/**
 * Copies Stripe's current state. Events arrive unordered and repeatedly, so their content is ignored and the subscription
 * is fetched; if another process wrote meanwhile, it is fetched again.
 * @throws AppError 'unavailable' while an unrelated plan change is in progress
 */
export const syncSubscription = async (deps: SyncDependencies, sync: Sync): Promise<void> => {
  const { db, stripe } = deps;
  const { organizationId } = sync;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const version = await selectProviderVersion(db, organizationId);
    const before = await selectSubscription(db, organizationId);
    if (version === undefined || before === undefined) return;
    let seen = await fetchState(deps, sync, before.periodEnd);
    if (seen === undefined) return;
    const draft = seen.invoices.find(({ invoice }) => isDraftRenewal(invoice))?.invoice;
    // A booked invoice already has its credit.
    const isFresh = draft !== undefined && (await selectInvoiceByReference(db, draft.id)) === undefined;
    const isFree = (await selectOpenPlanChange(db, organizationId)) === undefined;
    if (isFresh && isFree && (await deductCredit(stripe, draft, before.creditCents)))
      seen = await fetchState(deps, sync, before.periodEnd);
    const now = seen;
    if (now === undefined) return;
    const isDone = await db.transaction(async (session) => {
      const row = await lockSubscription(session, organizationId);
      const isLatest = (await selectProviderVersion(session, organizationId)) === version;
      if (row === undefined || !isLatest || !isSame(row, before)) return false;
      await write(deps, session, sync, now);
      await updateProviderVersion(session, organizationId, sync.eventAt);
      return true;
    });
    if (isDone) return;
  }
  throw later('The subscription keeps changing: send the event again in a minute.');
};
