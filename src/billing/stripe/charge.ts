import type Stripe from 'stripe';
import { withTimeout } from '../../timeout.js';
import {
  CHARGE_TIMEOUT_MS,
  type Charge,
  type Charged,
  type ChargeResolution,
  PaymentFailure,
  START_TIMEOUT_MS,
} from '../plan/provider.js';
import { CHARGE, type StripeDependencies } from './client.js';
import { cardPage, ensureCustomer, methodInUse, paymentMethodOf } from './customer.js';
import { failureAfterCharge, failureOf, PlanNotSold, ReplayedFailure } from './failure.js';
import { findPlanPrice, type PlanPrice } from './price.js';
import { chargedOf, isChangeable, itemOf, retrieveSubscription, SUBSCRIPTION_EXPAND } from './subscription.js';

/** Charges of changes younger than this are repeated under their key, which settles them; later ones would surprise. */
const REPEAT_MS = 60 * 60_000;

/** For changes older than this a missing record means that nothing was charged: Stripe has stored every charge by then. */
const RECORDED_AFTER_MS = 75 * 60_000;

/**
 * Parameters of both a new and a changed subscription. Stripe would credit unused days (`proration_behavior`); the credit
 * for unused units is an item of the same invoice instead. It is part of the call, so that a failed payment
 * (`error_if_incomplete`) does not leave it behind.
 */
const common = ({ id, organizationId, plan, creditCents }: Charge, { productId }: PlanPrice) => ({
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

const subscribe = (
  stripe: Stripe,
  charge: Charge,
  customerId: string,
  offer: PlanPrice,
): Promise<Stripe.Subscription> =>
  stripe.subscriptions.create(
    { customer: customerId, items: [{ price: offer.priceId }], ...common(charge, offer) },
    { ...CHARGE, idempotencyKey: `${charge.id}:subscribe` },
  );

/** Begins a fully paid period now, which ends a trial, and cancels a scheduled cancellation. */
const change = (stripe: Stripe, charge: Charge, subscription: Stripe.Subscription, offer: PlanPrice) =>
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

/** @returns a sentence about where to enter a card */
const helpOf = async ({ stripe, returnUrl }: StripeDependencies, customerId: string, then: string): Promise<string> => {
  const page = await cardPage(stripe, customerId, returnUrl);
  const where =
    page === undefined ? 'Ask the operator of this server for a page to enter a card' : `Enter a card at ${page}`;
  return `${where}, ${then}.`;
};

/** @returns the charge that was made. @throws PaymentFailure `unavailable`, because errors after a charge do not undo it */
const recordCharge: typeof chargedOf = async (stripe, made, known) => {
  try {
    return await chargedOf(stripe, made, known);
  } catch (error) {
    throw failureAfterCharge(error);
  }
};

const make = async (deps: StripeDependencies, charge: Charge, requireInTime: () => Promise<void>): Promise<Charged> => {
  const { stripe } = deps;
  const [offer, customer, known] = await Promise.all([
    findPlanPrice(stripe, charge.plan),
    ensureCustomer(stripe, charge, deps.storeCustomer),
    charge.subscriptionId === null ? undefined : retrieveSubscription(stripe, charge.subscriptionId),
  ]);
  const { productId } = offer;
  const used = await methodInUse(stripe, customer, known);
  const method = used && paymentMethodOf(used);
  if (known?.metadata.change_id === charge.id) return recordCharge(stripe, known, { productId, method });
  if (method === undefined && charge.chargeCents > 0) {
    const help = await helpOf(deps, customer.id, 'then repeat the request');
    throw new PaymentFailure('no_payment_method', `There is no payment method to charge. ${help}`);
  }
  const subscription = known !== undefined && isChangeable(known) ? known : undefined;
  if (subscription !== undefined && subscription.collection_method !== 'charge_automatically') {
    // Its invoice would be sent by email, and the plan be active before it is paid.
    throw new PlanNotSold(
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
      isRefused ? await helpOf(deps, customer.id, 'confirm it there, then repeat the request') : '',
    );
  }
  return recordCharge(stripe, made, { productId, method });
};

const tooLate = (): PaymentFailure =>
  new PaymentFailure('unavailable', 'The payment provider took too long to answer.');

/** @param startedAt Unix milliseconds at which the caller began to wait */
const chargeWithin = async (deps: StripeDependencies, charge: Charge, startedAt: number): Promise<Charged> => {
  let isOver = false;
  // After a pause of the machine the change may have been canceled. Timers pause, too, so the clock and the row are
  // checked right before the request is sent.
  const requireInTime = async (): Promise<void> => {
    if (!(await deps.isPending(charge.id)) || isOver || deps.clock() - startedAt > CHARGE_TIMEOUT_MS) throw tooLate();
  };
  const onTimeout = (): PaymentFailure => {
    isOver = true;
    return tooLate();
  };
  try {
    return await withTimeout(make(deps, charge, requireInTime), CHARGE_TIMEOUT_MS, onTimeout);
  } catch (error) {
    throw failureOf(error);
  }
};

export const chargeStripe = (deps: StripeDependencies, charge: Charge): Promise<Charged> =>
  chargeWithin(deps, charge, charge.createdAt.getTime() + START_TIMEOUT_MS);

/** @returns the subscription that the change created or updated, from Stripe's records */
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
 * @returns the charge in Stripe's records; undefined: none
 * @throws PaymentFailure
 */
const findCharged = async ({ stripe }: StripeDependencies, charge: Charge): Promise<ChargeResolution | undefined> => {
  try {
    const changed = await findChanged(stripe, charge);
    if (changed === undefined) return undefined;
    const { productId } = await findPlanPrice(stripe, charge.plan).catch(() => ({ productId: undefined }));
    const known = { productId: productId ?? charge.plan.paymentProductId, method: undefined };
    return { kind: 'charged', charged: await chargedOf(stripe, changed, known) };
  } catch (error) {
    throw failureOf(error);
  }
};

export const resolveStripe = async (deps: StripeDependencies, charge: Charge): Promise<ChargeResolution> => {
  const { clock } = deps;
  const found = await findCharged(deps, charge);
  if (found !== undefined) return found;
  // The customer's id is stored before the first charge.
  if (charge.customerId === null) return { kind: 'not_charged', reason: 'The provider was never asked.' };
  const startedAt = clock();
  const age = startedAt - charge.createdAt.getTime();
  if (age > RECORDED_AFTER_MS) return { kind: 'not_charged', reason: 'The provider has no record of the charge.' };
  if (age > REPEAT_MS) {
    throw new PaymentFailure('unavailable', 'The provider has no record of the charge, which may still be under way.');
  }
  try {
    return { kind: 'charged', charged: await chargeWithin(deps, charge, startedAt) };
  } catch (error) {
    const failure = failureOf(error);
    const { message: reason, paymentMethod } = failure;
    // Repetition returns the same error, so Stripe's records decide.
    if (failure instanceof ReplayedFailure) return (await findCharged(deps, charge)) ?? { kind: 'not_charged', reason };
    if (failure.kind === 'unavailable') throw failure;
    return { kind: 'not_charged', reason, ...(paymentMethod && { paymentMethod }) };
  }
};
