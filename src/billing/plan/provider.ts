import type { PaymentMethod } from '../../error.js';
import type { Plan } from './plan.js';

/** Provider's view of a plan change. All of it is stored before the provider is called. */
export interface ProviderChange {
  /** Id of the row in `plan_change`: the idempotency key, and metadata by which the provider's records are found. */
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly billingEmail: string | null;
  /** The provider's ids; null where it has none yet, and for a subscription that has ended. */
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  /** The new plan. */
  readonly plan: Plan;
  /** Time of the request. */
  readonly createdAt: Date;
}

/** An upgrade: it takes effect at once, begins a new period and cancels a scheduled downgrade. */
export interface Charge extends ProviderChange {
  /** US cents a month. */
  readonly priceCents: number;
  /** US cents that reduce the first invoice; at most the price. */
  readonly creditCents: number;
  /** Amount due now: `priceCents - creditCents`, 0 or more. */
  readonly chargeCents: number;
}

/** The provider's ids and payment method to store. Absent members remain unchanged. */
export interface ProviderNames {
  readonly customerId?: string;
  readonly subscriptionId?: string;
  readonly productId?: string;
  readonly paymentMethod?: PaymentMethod;
}

/** Result of a successful charge. It is stored as JSON, so it has no Date. */
export interface Charged {
  /** The provider's unique id of the invoice or payment; the same for each repetition of the charge. */
  readonly reference: string;
  /** open: the payment is reported later. */
  readonly invoice: 'paid' | 'open';
  readonly names: ProviderNames;
  /** The provider's status: `active`, or `canceled` if the subscription has ended since. */
  readonly status: string;
  /** The provider's period in Unix milliseconds; absent: a month from `createdAt` of the change. */
  readonly period?: { readonly start: number; readonly end: number };
}

/** Result of a charge whose response was lost. */
export type ChargeResolution =
  | { readonly kind: 'charged'; readonly charged: Charged }
  /** The charge was not made, and cannot be made under this key any more. */
  | { readonly kind: 'not_charged'; readonly reason: string; readonly paymentMethod?: PaymentMethod };

/**
 * declined, no_payment_method, action_needed (3-D Secure): nothing was charged, and nothing will be under this key.
 * not_sold: nothing was charged because of a wrong setting (the price of the plan, the API key) that the operator must fix.
 * unavailable: the result is unknown and is requested later.
 */
export type PaymentFailureKind = 'declined' | 'no_payment_method' | 'action_needed' | 'not_sold' | 'unavailable';

/** Error of a provider. Any other error of a charge counts as `unavailable`. */
export class PaymentFailure extends Error {
  override readonly name = 'PaymentFailure';
  readonly kind: PaymentFailureKind;
  readonly paymentMethod: PaymentMethod | undefined;

  /** @param message for the caller: what was wrong, and what to do */
  constructor(
    kind: PaymentFailureKind,
    message: string,
    options: { readonly paymentMethod?: PaymentMethod; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.paymentMethod = options.paymentMethod;
  }
}

/** Time limit of a charge with its repetitions; after that it is `unavailable`. */
export const CHARGE_TIMEOUT_MS = 30_000;

/** A change that was not stored within this time of its request is not charged. */
export const START_TIMEOUT_MS = 10_000;

/** The requests of changes older than this have ended, so recovery may resolve the changes. */
export const RECOVERY_AGE_MS = 2 * CHARGE_TIMEOUT_MS;

/** Charges organizations. Called outside of transactions; each call may be repeated with the same change. */
export interface PaymentProvider {
  /** Stored in `subscription.provider` and `plan_change.provider`. */
  readonly name: 'ledger' | 'stripe';
  /**
   * Charges an upgrade and cancels a scheduled downgrade. The same `id` is charged once, and every call returns the same.
   * Ends within {@link CHARGE_TIMEOUT_MS}.
   * @throws PaymentFailure
   */
  charge(charge: Charge): Promise<Charged>;
  /**
   * Determines the result of a charge whose response was lost (crash, timeout), by its idempotency key or by the
   * provider's records. If the request may still arrive, the charge may be made under the same key, which settles it.
   * `not_charged` is final: see {@link ChargeResolution}.
   * @throws PaymentFailure of kind `unavailable` when the result is unknown for now; it is retried
   */
  resolve(charge: Charge): Promise<ChargeResolution>;
  /**
   * Schedules `plan` for the end of the running period and replaces an earlier schedule. A plan without a price ends the
   * subscription then. Idempotent.
   * @throws PaymentFailure: `unavailable` is retried, any other kind is final
   */
  schedule(change: ProviderChange): Promise<void>;
  /**
   * Cancels the schedule; `plan` is the plan that the organization keeps. Idempotent.
   * @throws PaymentFailure as {@link schedule}
   */
  unschedule(change: ProviderChange): Promise<void>;
  /**
   * For providers that renew subscriptions and report it by webhook: fetches and applies the current state. Called for
   * subscriptions whose period has ended without an event.
   */
  catchUp?(organizationId: string): Promise<void>;
  /**
   * For providers that charge a renewal some time after it began: charges its invoice now, unless that was tried before,
   * and applies the result. The invoice is paid once, however often this is called; the provider retries a declined one.
   * @param reference the provider's id of the invoice
   * @throws PaymentFailure of kind `unavailable` when the result is unknown
   */
  collect?(organizationId: string, reference: string): Promise<void>;
}
