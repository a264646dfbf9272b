import Stripe from 'stripe';
import type { Secret } from '../config/secret.js';

/** For calls that read or prepare: tried twice, so at most 7 seconds in all. */
export const READ = { timeout: 3_000, maxNetworkRetries: 1 } as const;

/**
 * For the one call that takes money. It is sent once (and once more if the connection breaks), so that nothing of it is
 * still under way when recovery asks what became of it.
 */
export const CHARGE = { timeout: 12_000, maxNetworkRetries: 0 } as const;

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

/**
 * Makes the provider's own client, of the version of its interface that this library was written for.
 * @param apiUrl in place of the provider's own address; its path is not used
 */
export const createStripe = (secretKey: Secret, apiUrl: string | undefined): Stripe => {
  const url = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey.reveal(), {
    ...READ,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: portOf(url),
      protocol: url.protocol === 'https:' ? 'https' : 'http',
    }),
  });
};
