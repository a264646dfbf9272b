import type { AllowedCall } from './account-variable.js';
import type { ConfigReader } from './reader.js';

/** Accounts and storage that wallets of the service buy. */
export interface AccountSettings {
  /** Ether that an app may spend on a day, as in `0.1`. */
  readonly dailySpendEther: string;
  /** Accounts that an app may have reserved at a time. */
  readonly maxReservations: number;
  /** Accounts that a wallet has ready in advance. */
  readonly poolSize: number;
  /** Without a trailing slash; undefined: none is configured. */
  readonly nameRegistryUrl: string | undefined;
  /** What `pre_registration_calls` may contain. */
  readonly allowedCalls: readonly AllowedCall[];
}

export const readAccountSettings = (reader: ConfigReader): AccountSettings => ({
  dailySpendEther: reader.get('CASTELLAN_DAILY_SPEND_ETHER'),
  maxReservations: reader.get('CASTELLAN_RESERVATIONS'),
  poolSize: reader.get('CASTELLAN_ACCOUNT_POOL'),
  nameRegistryUrl: reader.get('CASTELLAN_FNAME_REGISTRY_URL')?.replace(/\/+$/, ''),
  allowedCalls: reader.get('CASTELLAN_REGISTRATION_CALLS'),
});
