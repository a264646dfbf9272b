import type { PaymentMethod } from '../error.js';
import type { Plan } from './plan/plan.js';

/** A change of plan, as the provider is told of it. All of it stands in the database before the provider hears it. */
export interface ProviderChange {
  /** Of the row `plan_change`: the idempotency key, and what the provider's records carry to be found again. */
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly billingEmail: string | null;
  /** The provider's names, where it knows the organization already. A subscription that has ended is left out. */
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  /** What the organization changes to. */
  readonly plan: Plan;
  /** When the change was asked for. */
  readonly createdAt: Date;
}

/** An upgrade: takes effect at once, a new period begins, and a downgrade that waits is taken back. */
export interface Charge extends ProviderChange {
  /** US cents a month. */
  readonly priceCents: number;
  /** US cents that the first invoice takes off; never more than the price. */
  readonly creditCents: number;
  /** `priceCents - creditCents`, 0 or more: what has to be paid now. */
  readonly chargeCents: number;
}

/** What the provider keeps: stored under our own names. Members that are absent stay as they were. */
export interface ProviderNames {
  readonly customerId?: string;
  readonly subscriptionId?: string;
  readonly productId?: string;
  readonly paymentMethod?: PaymentMethod;
}

/** That a charge was made. It is stored as JSON, so it holds no Date. */
export interface Charged {
  /** Of the invoice or payment at the provider; one and the same for each repetition of the charge, unique among all. */
  readonly reference: string;
  /** open: it is owed, and somebody tells later that it was paid. */
  readonly invoice: 'paid' | 'open';
  readonly names: ProviderNames;
  /** As the provider words it: `active`; `canceled`, where the subscription has ended since. */
  readonly status: string;
  /** The period that the provider counts, unix milliseconds; absent: a month from `createdAt` of the change. */
  readonly period?: { readonly start: number; readonly end: number };
}

/** What became of a charge whose answer was lost. */
export type Outcome =
  | { readonly kind: 'charged'; readonly charged: Charged }
  /** It was not made, and cannot be made any more under this key. */
  | { readonly kind: 'not_charged'; readonly reason: string; readonly paymentMethod?: PaymentMethod };

/**
 * declined, no_payment_method, action_needed (3-D Secure): nothing was charged, and nothing will be under this key.
 * not_sold: the same, for a fault of this server (the price of the plan, the key), which its operator has to mend.
 * unavailable: nobody knows; the outcome is asked for later.
 */
export type PaymentFailureKind = 'declined' | 'no_payment_method' | 'action_needed' | 'not_sold' | 'unavailable';

/** Thrown by providers. Any other error of a charge counts as `unavailable`. */
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

/** A charge has ended after this time, its repetitions included; what has not is `unavailable`. */
export const CHARGE_TIMEOUT_MS = 30_000;

/** A change that could not be written down within this time of its request is not charged any more. */
export const START_TIMEOUT_MS = 10_000;

/** Changes that began longer ago than this belong to no request that still runs: recovery takes them up. */
export const RECOVERY_AGE_MS = 2 * CHARGE_TIMEOUT_MS;

/** Takes the money. Called outside of transactions; safe to call again with the same change. */
export interface PaymentProvider {
  /** Stands in `subscription.provider`, `plan_change.provider`. */
  readonly name: 'ledger' | 'stripe';
  /**
   * Charges an upgrade, and takes back a downgrade that waits. The same `id` is charged once and answers the same.
   * Ends within {@link CHARGE_TIMEOUT_MS}.
   * @throws PaymentFailure
   */
  charge(charge: Charge): Promise<Charged>;
  /**
   * Finds out what became of a charge whose answer was lost (a crash, a timeout), long after it was sent: by the same
   * idempotency key, or by what the provider's records carry. Where it cannot be excluded that a request still arrives
   * it may make the charge under the same key, since that decides it. `not_charged` is final: see {@link Outcome}.
   * @throws PaymentFailure of kind `unavailable` when that cannot be told now; it is asked again.
   */
  resolve(charge: Charge): Promise<Outcome>;
  /**
   * Arranges that `plan` takes effect when the running period ends, in place of what was arranged before. A plan
   * without a price ends the subscription then. Repeating it changes nothing.
   * @throws PaymentFailure: `unavailable` is tried again, any other kind is final
   */
  schedule(change: ProviderChange): Promise<void>;
  /**
   * Takes back what was scheduled: `plan` is what the organization has and keeps. Repeating it changes nothing.
   * @throws PaymentFailure as {@link schedule}
   */
  unschedule(change: ProviderChange): Promise<void>;
  /**
   * Providers that renew by themselves and tell of it by webhook: takes in what it would have told. Called for
   * organizations with a subscription there whose period is over, and of which nothing was heard.
   */
  catchUp?(organizationId: string): Promise<void>;
  /**
   * Providers that charge a renewal some time after it began: charges this invoice of one now, if it was not tried yet,
   * and takes in what became of it. However often it is called, the invoice is paid once; one that is declined is left
   * to the provider.
   * @param reference of the invoice
   * @throws PaymentFailure of kind `unavailable` when it cannot be told
   */
  collect?(organizationId: string, reference: string): Promise<void>;
}
