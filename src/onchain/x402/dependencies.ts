import type { MasterKey } from '../../config/secret.js';
import type { X402Settings } from '../../config/x402.js';
import type { Database } from '../../db/database.js';
import type { Networks } from '../network.js';

/** What signs payments and sign-ins of wallets. */
export interface X402Dependencies {
  readonly db: Database;
  readonly networks: Networks;
  readonly masterKey: MasterKey;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly settings: X402Settings;
  /** Whether sign-ins may be at services on this machine over http; only in development. */
  readonly allowsLocalSites: boolean;
}
