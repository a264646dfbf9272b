import type { Config } from '../config/config.js';
import type { MasterKey } from '../config/secret.js';
import type { Database } from '../db/database.js';
import type { Networks } from '../onchain/network.js';
import type { RegistrySender } from './registry-sender.js';

/** Dependencies of buying accounts and storage. */
export interface AccountDependencies {
  readonly db: Database;
  readonly networks: Networks;
  readonly registry: RegistrySender;
  readonly masterKey: MasterKey;
  readonly settings: Config['accounts'];
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** How long a request waits for its transaction, in milliseconds: OP Mainnet makes a block every two seconds. */
export const RECEIPT_WAIT_MS = 8000;
