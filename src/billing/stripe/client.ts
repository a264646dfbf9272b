import Stripe from 'stripe';
import type { Secret } from '../../config/secret.js';

/** Options of calls that read or prepare. They are tried twice, so they take 7 seconds at most. */
export const READ = { timeout: 3_000, maxNetworkRetries: 1 } as const;

/**
 * Options of the call that charges. It is sent once (and once more if the connection breaks), so that it has ended when
 * recovery looks up its result.
 */
export const CHARGE = { timeout: 12_000, maxNetworkRetries: 0 } as const;

/** What calls to Stripe need. */
export interface StripeDependencies {
  readonly stripe: Stripe;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** URL to which Stripe's pages return the customer. */
  readonly returnUrl: string;
  /** Stores Stripe's customer id of an organization. */
  readonly storeCustomer: (organizationId: string, customerId: string) => Promise<void>;
  /** Whether a plan change still waits for its charge. */
  readonly isPending: (changeId: string) => Promise<boolean>;
}

/** Another server with Stripe's interface. */
export type StripeAddress = Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'>;

/**
 * Creates the client of Stripe's library, for the version of the interface that the library was written for.
 * @param address replaces Stripe's own address in tests
 */
export const createStripe = (secretKey: Secret, address: StripeAddress = {}): Stripe =>
  new Stripe(secretKey.reveal(), { ...READ, telemetry: false, ...address });
