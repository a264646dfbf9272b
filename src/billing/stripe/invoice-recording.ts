import type Stripe from 'stripe';
import type { Session } from '../../db/statement.js';
import { AppError } from '../../error.js';
import { selectInvoiceByReference } from '../../store/billing/invoice.js';
import {
  hasOpenPlanChange,
  type PlanChangeRow,
  selectPlanChangeForUpdate,
  updatePlanChangeReported,
} from '../../store/billing/plan-change.js';
import { isOwnChange } from '../../store/billing/provider-account.js';
import { selectSubscriptionForUpdate } from '../../store/billing/subscription.js';
import { applyLateCharge } from '../plan/change-step.js';
import { endKnownInvoice } from '../plan/invoice-settlement.js';
import type { Plans } from '../plan/plan.js';
import { bookUnused, type Renewal, recordUnpaidPeriod, renewPeriod } from '../plan/provider-renewal.js';
import { methodOfRecord } from './customer.js';
import { creditOf, planOfPrice, subscriptionIdOf } from './invoice.js';
import { chargeFromSubscription, customerOf, hasEnded, periodOf, periodOfInvoice, productOf } from './subscription.js';

export interface BookingDependencies {
  readonly plans: Plans;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Logs what an operator has to check. */
  readonly warn: (details: object, message: string) => void;
}

/** Current state of an invoice at Stripe. */
export interface SeenInvoice {
  readonly organizationId: string;
  readonly subscription: Stripe.Subscription;
  readonly invoice: Stripe.Invoice;
  /** Price of the invoice; that of the subscription may have changed since. */
  readonly price: Stripe.Price;
}

const RETRY_SECONDS = 60;

export const later = (message: string): AppError =>
  new AppError('unavailable', 'ServiceUnavailable', message, { retryAfter: RETRY_SECONDS });

export const laterThanChange = (): AppError =>
  later('A change of plan is under way: send the event again in a minute.');

/** Billing reasons of invoices that begin a period. Manual invoices and changes in the dashboard begin none. */
const PERIOD_REASONS = new Set<string | null>(['subscription_cycle', 'subscription_create']);

/** @returns the plan change that caused an invoice, locked */
const changeOf = async (
  session: Session,
  { organizationId, subscription, invoice }: SeenInvoice,
): Promise<PlanChangeRow | undefined> => {
  const { billing_reason: reason, parent } = invoice;
  if (reason !== 'subscription_create' && reason !== 'subscription_update') return undefined;
  if (subscriptionIdOf(invoice) !== subscription.id) return undefined;
  const id = parent?.subscription_details?.metadata?.change_id ?? subscription.metadata.change_id;
  if (id === undefined || !(await isOwnChange(session, organizationId, id))) return undefined;
  return selectPlanChangeForUpdate(session, id);
};

const renewalOf = ({ clock }: BookingDependencies, seen: SeenInvoice, planId: string): Renewal => {
  const { organizationId, subscription, invoice } = seen;
  const period = periodOfInvoice(invoice) ?? periodOf(subscription);
  const creditCents = creditOf(invoice);
  return {
    organizationId,
    planId,
    period: { start: new Date(period.start), end: new Date(period.end) },
    invoice: {
      reference: invoice.id,
      priceCents: invoice.total + creditCents,
      creditCents,
      state: invoice.status === 'paid' ? 'paid' : 'open',
    },
    // An ended subscription first begins the periods that were paid.
    status: hasEnded(subscription) ? 'active' : subscription.status,
    now: new Date(clock()),
  };
};

/** Ends an invoice that is booked as open and is now paid or void at Stripe. */
export const settleKnown = async (
  { clock }: BookingDependencies,
  session: Session,
  { organizationId, invoice }: SeenInvoice,
): Promise<void> => {
  const { id: reference, status } = invoice;
  const now = new Date(clock());
  if (status === 'paid') await endKnownInvoice(session, { organizationId, reference, as: 'paid', now });
  if (status === 'void') await endKnownInvoice(session, { organizationId, reference, as: 'void', now });
};

/** Stores the state of the invoice of a plan change in progress, whose charge may have returned an older state. */
export const recordForChange = async (session: Session, seen: SeenInvoice): Promise<void> => {
  const { id: reference, status } = seen.invoice;
  const state = status === 'paid' || status === 'void' ? (status as 'paid' | 'void') : undefined;
  if (state === undefined) return;
  const change = await changeOf(session, seen);
  if (change?.state === 'pending' || change?.state === 'charged') {
    await updatePlanChangeReported(session, change.id, { reference, state });
  }
};

/**
 * Applies a charge for a canceled plan change, which should never happen: the change is made after all, or the payment
 * becomes credit if the subscription has changed since.
 * @throws AppError 'unavailable' while another change is in progress
 */
export const recordLateCharge = async (
  deps: BookingDependencies,
  session: Session,
  seen: SeenInvoice,
): Promise<void> => {
  const { organizationId, subscription, invoice } = seen;
  const change = await changeOf(session, seen);
  if (change?.state !== 'failed' || invoice.status === 'void' || invoice.status === 'draft') return;
  if (await selectInvoiceByReference(session, invoice.id)) return;
  if (await hasOpenPlanChange(session, organizationId)) throw laterThanChange();
  const row = await selectSubscriptionForUpdate(session, organizationId);
  if (row === undefined) return;
  const details = { organizationId, change: change.id, invoice: invoice.id, subscription: subscription.id };
  const isOurs = row.providerSubscriptionId === null || row.providerSubscriptionId === subscription.id;
  if (isOurs && !hasEnded(subscription)) {
    const method = methodOfRecord(customerOf(subscription), subscription);
    const charged = chargeFromSubscription(subscription, invoice, { productId: productOf(subscription), method });
    if (await applyLateCharge(session, row, { change, charged, now: new Date(deps.clock()) })) {
      deps.warn(details, 'a change of plan that was given up was charged; it is made now');
      return;
    }
  }
  if (invoice.status !== 'paid') return;
  await bookUnused(session, row, renewalOf(deps, seen, change.toPlanId));
  deps.warn(details, 'a change of plan that was given up was charged; what was paid is credited');
};

/**
 * Books an invoice and begins its period. Invoices of plan changes are booked by the change.
 * @throws AppError 'unavailable' while a plan change is in progress
 */
export const recordInvoice = async (deps: BookingDependencies, session: Session, seen: SeenInvoice): Promise<void> => {
  const { organizationId, subscription, invoice, price } = seen;
  if ((await changeOf(session, seen)) !== undefined) return;
  if (!PERIOD_REASONS.has(invoice.billing_reason) || subscriptionIdOf(invoice) !== subscription.id) return;
  const plan = planOfPrice(deps.plans, price);
  if (plan === undefined) {
    deps.warn({ organizationId, invoice: invoice.id }, 'an invoice is of a price that no plan has; it is not booked');
    return;
  }
  const renewal = renewalOf(deps, seen, plan.id);
  const renewed = await (invoice.status === 'void'
    ? recordUnpaidPeriod(session, renewal)
    : renewPeriod(session, renewal));
  if (renewed === 'later') throw laterThanChange();
};
