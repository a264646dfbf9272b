import type Stripe from 'stripe';
import {
  CHARGE_TIMEOUT_MS,
  type Charge,
  type Charged,
  type Outcome,
  PaymentFailure,
  START_TIMEOUT_MS,
} from './provider.js';
import { CHARGE } from './stripe-client.js';
import { cardPage, ensureCustomer, methodInUse, shownMethod } from './stripe/customer.js';
import { failureAfterCharge, failureOf, ReplayedFailure, Unsold } from './stripe/failure.js';
import { findOffer, type Offer } from './stripe/price.js';
import type { StripeParts } from './stripe-provider.js';
import { chargedOf, isChangeable, itemOf, retrieveSubscription, SUBSCRIPTION_EXPAND } from './stripe/subscription.js';

/** While a change is younger than this, its charge is repeated under its key, which decides it: nobody wants to be charged later. */
const REPEATED_FOR_MS = 60 * 60_000;

/**
 * Only of a change that is older than this it is believed that the provider's records show no charge: the last one was
 * sent long enough ago to stand there if it was made.
 */
const BELIEVED_AFTER_MS = 75 * 60_000;

/**
 * What is the same of a new and of a changed subscription. The provider reckons with time and would credit unused
 * days, so it credits nothing (`proration_behavior`): our credit, reckoned with units, stands on the same invoice as an
 * item of its own. It is part of the call, and so goes with it when the payment fails (`error_if_incomplete`).
 */
const common = ({ id, organizationId, plan, creditCents }: Charge, { productId }: Offer) => ({
  proration_behavior: 'none' as const,
  payment_behavior: 'error_if_incomplete' as const,
  off_session: true,
  metadata: { organization_id: organizationId, change_id: id, plan_id: plan.id },
  ...(creditCents > 0 && {
    add_invoice_items: [
      {
        price_data: { currency: 'usd', product: productId, unit_amount: -creditCents },
        metadata: { change_id: id, credit_cents: String(creditCents) },
      },
    ],
  }),
  expand: SUBSCRIPTION_EXPAND,
});

const subscribe = (stripe: Stripe, charge: Charge, customerId: string, offer: Offer): Promise<Stripe.Subscription> =>
  stripe.subscriptions.create(
    { customer: customerId, items: [{ price: offer.priceId }], ...common(charge, offer) },
    { ...CHARGE, idempotencyKey: `${charge.id}:subscribe` },
  );

/** The period begins now, and is paid in full; a trial ends. A cancellation that waits is taken back. */
const change = (stripe: Stripe, charge: Charge, subscription: Stripe.Subscription, offer: Offer) =>
  stripe.subscriptions.update(
    subscription.id,
    {
      items: [{ id: itemOf(subscription).id, price: offer.priceId }],
      cancel_at_period_end: false,
      ...(subscription.status === 'trialing' ? { trial_end: 'now' } : { billing_cycle_anchor: { type: 'now' } }),
      ...common(charge, offer),
    },
    { ...CHARGE, idempotencyKey: `${charge.id}:change` },
  );

/** A sentence about where to enter a card. */
const helpOf = async ({ stripe, returnUrl }: StripeParts, customerId: string, then: string): Promise<string> => {
  const page = await cardPage(stripe, customerId, returnUrl);
  const where =
    page === undefined ? 'Ask the operator of this server for a page to enter a card' : `Enter a card at ${page}`;
  return `${where}, ${then}.`;
};

/** What was charged; whatever fails from here on says nothing of the charge. */
const tellCharged: typeof chargedOf = async (stripe, made, known) => {
  try {
    return await chargedOf(stripe, made, known);
  } catch (error) {
    throw failureAfterCharge(error);
  }
};

const make = async (parts: StripeParts, charge: Charge, requireInTime: () => Promise<void>): Promise<Charged> => {
  const { stripe } = parts;
  const [offer, customer, known] = await Promise.all([
    findOffer(stripe, charge.plan),
    ensureCustomer(stripe, charge, parts.keepCustomer),
    charge.subscriptionId === null ? undefined : retrieveSubscription(stripe, charge.subscriptionId),
  ]);
  const { productId } = offer;
  const used = await methodInUse(stripe, customer, known);
  const method = used && shownMethod(used);
  if (known?.metadata.change_id === charge.id) return tellCharged(stripe, known, { productId, method });
  if (method === undefined && charge.chargeCents > 0) {
    const help = await helpOf(parts, customer.id, 'then repeat the request');
    throw new PaymentFailure('no_payment_method', `There is no payment method to charge. ${help}`);
  }
  const subscription = known !== undefined && isChangeable(known) ? known : undefined;
  if (subscription !== undefined && subscription.collection_method !== 'charge_automatically') {
    // Its invoice would be sent, and the plan be had before anybody pays.
    throw new Unsold(
      'The subscription is paid by invoices that are sent, not by card: ask the operator of this server.',
    );
  }
  await requireInTime();
  let made: Stripe.Subscription;
  try {
    made = await (subscription === undefined
      ? subscribe(stripe, charge, customer.id, offer)
      : change(stripe, charge, subscription, offer));
  } catch (error) {
    const isRefused = (error as { statusCode?: number }).statusCode === 402;
    throw failureOf(
      error,
      method,
      isRefused ? await helpOf(parts, customer.id, 'confirm it there, then repeat the request') : '',
    );
  }
  return tellCharged(stripe, made, { productId, method });
};

const tooLate = (): PaymentFailure =>
  new PaymentFailure('unavailable', 'The payment provider took too long to answer.');

/** @param begunAt unix milliseconds: when who waits for it began to */
const chargeWithin = async (parts: StripeParts, charge: Charge, begunAt: number): Promise<Charged> => {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isOver = true;
      reject(tooLate());
    }, CHARGE_TIMEOUT_MS);
  });
  // A process that stood still (a machine that was paused) must not charge what was given up meanwhile. Its timers stand
  // still too, so the clock and the row are looked at, right before the request is sent.
  const requireInTime = async (): Promise<void> => {
    if (!(await parts.isPending(charge.id)) || isOver || parts.clock() - begunAt > CHARGE_TIMEOUT_MS) throw tooLate();
  };
  try {
    return await Promise.race([make(parts, charge, requireInTime), late]);
  } catch (error) {
    throw failureOf(error);
  } finally {
    clearTimeout(timer);
  }
};

/** Charges an upgrade: see the port. */
export const chargeStripe = (parts: StripeParts, charge: Charge): Promise<Charged> =>
  chargeWithin(parts, charge, charge.createdAt.getTime() + START_TIMEOUT_MS);

/** @returns the subscription of the customer that the change made, or made to what it is; asked of the provider's records. */
const findChanged = async (stripe: Stripe, charge: Charge): Promise<Stripe.Subscription | undefined> => {
  if (charge.subscriptionId !== null) {
    const known = await retrieveSubscription(stripe, charge.subscriptionId);
    if (known?.metadata.change_id === charge.id) return known;
  }
  if (charge.customerId === null) return undefined;
  const { data } = await stripe.subscriptions.list({ customer: charge.customerId, status: 'all', limit: 100 });
  const found = data.find(({ metadata }) => metadata.change_id === charge.id);
  return found && retrieveSubscription(stripe, found.id);
};

/**
 * @returns what the provider's records show of a charge; undefined: nothing
 * @throws PaymentFailure
 */
const findCharged = async ({ stripe }: StripeParts, charge: Charge): Promise<Outcome | undefined> => {
  try {
    const changed = await findChanged(stripe, charge);
    if (changed === undefined) return undefined;
    const { productId } = await findOffer(stripe, charge.plan).catch(() => ({ productId: undefined }));
    const known = { productId: productId ?? charge.plan.paymentProductId, method: undefined };
    return { kind: 'charged', charged: await chargedOf(stripe, changed, known) };
  } catch (error) {
    throw failureOf(error);
  }
};

/** Tells what became of a charge: see the port. */
export const resolveStripe = async (parts: StripeParts, charge: Charge): Promise<Outcome> => {
  const { clock } = parts;
  const found = await findCharged(parts, charge);
  if (found !== undefined) return found;
  // The customer is written down before anything is charged.
  if (charge.customerId === null) return { kind: 'not_charged', reason: 'The provider was never asked.' };
  const begunAt = clock();
  const age = begunAt - charge.createdAt.getTime();
  if (age > BELIEVED_AFTER_MS) return { kind: 'not_charged', reason: 'The provider has no record of the charge.' };
  if (age > REPEATED_FOR_MS) {
    throw new PaymentFailure('unavailable', 'The provider has no record of the charge, which may still be under way.');
  }
  try {
    return { kind: 'charged', charged: await chargeWithin(parts, charge, begunAt) };
  } catch (error) {
    const failure = failureOf(error);
    const { message: reason, paymentMethod } = failure;
    // It will never say more than that: its records, looked at once more, are the last word.
    if (failure instanceof ReplayedFailure)
      return (await findCharged(parts, charge)) ?? { kind: 'not_charged', reason };
    if (failure.kind === 'unavailable') throw failure;
    return { kind: 'not_charged', reason, ...(paymentMethod && { paymentMethod }) };
  }
};
