import type Stripe from 'stripe';
import { AppError } from '../../error.js';
import type { Session } from '../../store/database.js';
import { selectInvoiceByReference } from '../../store/invoice.js';
import {
  isChangeUnderway,
  type PlanChangeRow,
  selectPlanChangeForUpdate,
  updatePlanChangeTold,
} from '../../store/plan-change.js';
import { isOwnChange } from '../../store/provider-account.js';
import { selectSubscriptionForUpdate } from '../../store/subscription.js';
import { applyLate } from '../plan/change-step.js';
import { endKnownInvoice } from '../plan/invoice-settlement.js';
import type { Plans } from '../plan/plan.js';
import { beginUnpaid, bookUnused, type Renewal, renewPeriod } from '../plan/provider-renewal.js';
import { methodOfRecord } from './customer.js';
import { creditOf, planOfPrice, subscriptionIdOf } from './invoice.js';
import { chargedAs, customerOf, hasEnded, periodOf, periodOfInvoice, productOf } from './subscription.js';

/** What invoices are booked with. */
export interface BookingParts {
  readonly plans: Plans;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Told of what an operator has to look at. */
  readonly warn: (details: object, message: string) => void;
}

/** An invoice as the provider shows it now. */
export interface SeenInvoice {
  readonly organizationId: string;
  readonly subscription: Stripe.Subscription;
  readonly invoice: Stripe.Invoice;
  /** That the invoice is of; the subscription may have another one since. */
  readonly price: Stripe.Price;
}

const RETRY_SECONDS = 60;

export const later = (message: string): AppError =>
  new AppError('unavailable', 'ServiceUnavailable', message, { retryAfter: RETRY_SECONDS });

export const laterThanChange = (): AppError =>
  later('A change of plan is under way: send the event again in a minute.');

/** Reasons of invoices that a period begins with. A hand-written one and a change in the dashboard begin none. */
const PERIOD_REASONS = new Set<string | null>(['subscription_cycle', 'subscription_create']);

/** @returns the change of ours that an invoice is of, locked. */
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

const renewalOf = ({ clock }: BookingParts, seen: SeenInvoice, planId: string): Renewal => {
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
    // One that has ended begins the periods that it was paid for first.
    status: hasEnded(subscription) ? 'active' : subscription.status,
    now: new Date(clock()),
  };
};

/** Ends an invoice that is booked as open, whatever it is of: it is paid now, or void. All else may still be paid. */
export const settleKnown = async (
  { clock }: BookingParts,
  session: Session,
  { organizationId, invoice }: SeenInvoice,
): Promise<void> => {
  const { id: reference, status } = invoice;
  const now = new Date(clock());
  if (status === 'paid') await endKnownInvoice(session, { organizationId, reference, as: 'paid', now });
  if (status === 'void') await endKnownInvoice(session, { organizationId, reference, as: 'void', now });
};

/** Keeps what became of the invoice of a change that is under way, whose charge may have been answered before that. */
export const keepForChange = async (session: Session, seen: SeenInvoice): Promise<void> => {
  const { id: reference, status } = seen.invoice;
  const state = status === 'paid' || status === 'void' ? (status as 'paid' | 'void') : undefined;
  if (state === undefined) return;
  const change = await changeOf(session, seen);
  if (change?.state === 'pending' || change?.state === 'charged') {
    await updatePlanChangeTold(session, change.id, { reference, state });
  }
};

/**
 * Takes in the charge of a change that was given up, which should never be: the change is made after all, or, where the
 * subscription is another one since, what was paid becomes credit.
 * @throws AppError 'unavailable' while another change is under way
 */
export const takeLateCharge = async (parts: BookingParts, session: Session, seen: SeenInvoice): Promise<void> => {
  const { organizationId, subscription, invoice } = seen;
  const change = await changeOf(session, seen);
  if (change?.state !== 'failed' || invoice.status === 'void' || invoice.status === 'draft') return;
  if (await selectInvoiceByReference(session, invoice.id)) return;
  if (await isChangeUnderway(session, organizationId)) throw laterThanChange();
  const row = await selectSubscriptionForUpdate(session, organizationId);
  if (row === undefined) return;
  const details = { organizationId, change: change.id, invoice: invoice.id, subscription: subscription.id };
  const isOurs = row.providerSubscriptionId === null || row.providerSubscriptionId === subscription.id;
  if (isOurs && !hasEnded(subscription)) {
    const method = methodOfRecord(customerOf(subscription), subscription);
    const charged = chargedAs(subscription, invoice, { productId: productOf(subscription), method });
    if (await applyLate(session, row, { change, charged, now: new Date(parts.clock()) })) {
      parts.warn(details, 'a change of plan that was given up was charged; it is made now');
      return;
    }
  }
  if (invoice.status !== 'paid') return;
  await bookUnused(session, row, renewalOf(parts, seen, change.toPlanId));
  parts.warn(details, 'a change of plan that was given up was charged; what was paid is credited');
};

/**
 * Books what an invoice says and begins its period, unless it is of a change of ours, which books its own.
 * @throws AppError 'unavailable' while a change of plan is under way
 */
export const takeInvoice = async (parts: BookingParts, session: Session, seen: SeenInvoice): Promise<void> => {
  const { organizationId, subscription, invoice, price } = seen;
  if ((await changeOf(session, seen)) !== undefined) return;
  if (!PERIOD_REASONS.has(invoice.billing_reason) || subscriptionIdOf(invoice) !== subscription.id) return;
  const plan = planOfPrice(parts.plans, price);
  if (plan === undefined) {
    parts.warn({ organizationId, invoice: invoice.id }, 'an invoice is of a price that no plan has; it is not booked');
    return;
  }
  const renewal = renewalOf(parts, seen, plan.id);
  const renewed = await (invoice.status === 'void' ? beginUnpaid(session, renewal) : renewPeriod(session, renewal));
  if (renewed === 'later') throw laterThanChange();
};
