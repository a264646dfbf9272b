import Stripe from 'stripe';
import type { PaymentMethod } from '../../error.js';
import { PaymentFailure } from '../provider.js';

/** Codes of errors that say: the bank wants the customer to confirm. */
const ACTION_CODES = new Set([
  'authentication_required',
  'subscription_payment_intent_requires_action',
  'invoice_payment_intent_requires_action',
  'payment_intent_action_required',
]);

/** Nothing was charged, and it is no fault of the customer's. */
export class Unsold extends PaymentFailure {
  constructor(message: string, cause?: Error) {
    super('not_sold', message, { cause });
  }
}

/**
 * The provider repeated the error that it kept for the key of the charge. That tells nothing: it may have charged before
 * it failed. Asking again under the same key would not make it another answer: only its records decide.
 */
export class ReplayedFailure extends PaymentFailure {
  constructor(cause: Error) {
    super('unavailable', 'The payment provider failed.', { cause });
  }
}

/** Something failed after the charge was made: nobody may say that nothing was charged. */
export const failureAfterCharge = (error: unknown): PaymentFailure =>
  new PaymentFailure('unavailable', 'The payment provider did not say what it charged.', { cause: plainCause(error) });

/**
 * What a log may know of an error of the provider's library, which holds cards, addresses and headers besides.
 * @returns its kind, code, status and the provider's name for the request
 */
export const plainCause = (error: unknown): Error => {
  if (!(error instanceof Stripe.errors.StripeError)) return new Error(error instanceof Error ? error.name : 'unknown');
  const { type, code, param, statusCode, requestId } = error;
  const words = [type, code, param === undefined ? undefined : `param ${param}`, statusCode, requestId];
  return new Error(words.filter((word) => word !== undefined).join(' '));
};

const isReplayed = (error: InstanceType<typeof Stripe.errors.StripeError>): boolean =>
  error.headers?.['idempotent-replayed'] === 'true';

/**
 * Tells what an error of a call means.
 * @param method that was asked to pay
 * @param help what the customer can do about his payment method; empty, or a sentence
 */
export const failureOf = (error: unknown, method?: PaymentMethod, help = ''): PaymentFailure => {
  if (error instanceof PaymentFailure) return error;
  const cause = plainCause(error);
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
    return new Unsold('The payment provider refuses the key of this server: its operator has to look at it.', cause);
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    return new Unsold(
      'The payment provider did not accept the request: the operator of this server has to look at it.',
      cause,
    );
  }
  if (isReplayed(error)) return new ReplayedFailure(cause);
  return new PaymentFailure('unavailable', 'The payment provider does not answer at the moment.', options);
};
