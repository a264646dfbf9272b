import type { MasterKey } from '../../config/secret.js';
import type { Database } from '../../db/database.js';
import type { AttemptRow } from '../../store/onchain/attempt.js';
import type { OpenTransaction } from '../../store/onchain/transaction.js';
import type { Networks } from '../network.js';

/** Dependencies of sending and tracking transactions. */
export interface ChainDependencies {
  readonly db: Database;
  readonly networks: Networks;
  readonly masterKey: MasterKey;
  /** Maximum price of a unit of gas on every network; undefined: the default of each (`feeCeiling`). */
  readonly maxFeeGwei?: number | undefined;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Called with errors of background work, which is retried. */
  readonly failed: (error: unknown) => void;
}

/** A signed transaction to broadcast. All transactions of a list belong to one wallet on one chain. */
export interface SignedTransaction {
  readonly row: Omit<OpenTransaction, 'address' | 'hash' | 'state' | 'failure' | 'failureCode'> & {
    /** 20 bytes. */
    readonly address: Uint8Array;
  };
  readonly attempt: AttemptRow;
}

/** Purpose of an empty transfer that fills a nonce. */
export const FILL = 'fill';
