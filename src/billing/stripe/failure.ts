import Stripe from 'stripe';
import type { PaymentMethod } from '../../error.js';
import { PaymentFailure } from '../plan/provider.js';

/** Codes of errors when the bank demands a confirmation by the customer. */
const ACTION_CODES = new Set([
  'authentication_required',
  'subscription_payment_intent_requires_action',
  'invoice_payment_intent_requires_action',
  'payment_intent_action_required',
]);

/** Nothing was charged, because of a setting that the operator must fix. */
export class PlanNotSold extends PaymentFailure {
  constructor(message: string, cause?: Error) {
    super('not_sold', message, { cause });
  }
}

/**
 * Stripe replayed the error that it stored for the idempotency key. The charge may have succeeded before that error, and
 * repeating the call returns the same error: only Stripe's records show the result.
 */
export class ReplayedFailure extends PaymentFailure {
  constructor(cause: Error) {
    super('unavailable', 'The payment provider failed.', { cause });
  }
}

/** @returns the error for a failure after the charge, whose message must not say that nothing was charged */
export const failureAfterCharge = (error: unknown): PaymentFailure =>
  new PaymentFailure('unavailable', 'The payment provider did not say what it charged.', {
    cause: redactedCause(error),
  });

/**
 * Removes cards, addresses and headers from an error of Stripe's library, for logs.
 * @returns an error with its type, code, status and request id
 */
export const redactedCause = (error: unknown): Error => {
  if (!(error instanceof Stripe.errors.StripeError)) return new Error(error instanceof Error ? error.name : 'unknown');
  const { type, code, param, statusCode, requestId } = error;
  const words = [type, code, param === undefined ? undefined : `param ${param}`, statusCode, requestId];
  return new Error(words.filter((word) => word !== undefined).join(' '));
};

const isReplayed = (error: InstanceType<typeof Stripe.errors.StripeError>): boolean =>
  error.headers?.['idempotent-replayed'] === 'true';

/**
 * @param method that was charged
 * @param help a sentence on what the customer can do about the payment method; may be empty
 */
export const failureOf = (error: unknown, method?: PaymentMethod, help = ''): PaymentFailure => {
  if (error instanceof PaymentFailure) return error;
  const cause = redactedCause(error);
  const options = { cause, ...(method && { paymentMethod: method }) };
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new PaymentFailure('unavailable', 'The payment provider could not be asked.', options);
  }
  const named = method === undefined ? 'payment method' : `${method.brand} ending in ${method.last4}`;
  if (error.statusCode === 402) {
    const needsAction = ACTION_CODES.has(error.code ?? '') || error.decline_code === 'authentication_required';
    if (needsAction) {
      const message = `The bank wants this payment by the ${named} to be confirmed by its holder (3-D Secure). Nothing was charged. ${help}`;
      return new PaymentFailure('action_needed', message.trim(), options);
    }
    const message = `The ${named} was declined: ${error.message} Nothing was charged. ${help}`;
    return new PaymentFailure('declined', message.trim(), options);
  }
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return new PlanNotSold(
      'The payment provider refuses the key of this server: its operator has to look at it.',
      cause,
    );
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    return new PlanNotSold(
      'The payment provider did not accept the request: the operator of this server has to look at it.',
      cause,
    );
  }
  if (isReplayed(error)) return new ReplayedFailure(cause);
  return new PaymentFailure('unavailable', 'The payment provider does not answer at the moment.', options);
};
