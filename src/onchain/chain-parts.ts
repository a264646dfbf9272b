import type { MasterKey } from '../config/secret.js';
import type { AttemptRow } from '../store/chain-attempt.js';
import type { OpenTransaction } from '../store/chain-transaction.js';
import type { Database } from '../store/database.js';
import type { Networks } from './network.js';

/** What sending and following transactions stands on. */
export interface ChainParts {
  readonly db: Database;
  readonly networks: Networks;
  readonly masterKey: MasterKey;
  /** The most that a unit of gas may cost, on every network; undefined: the defaults of each (`feeCeiling`). */
  readonly maxFeeGwei?: number | undefined;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Is told of what went wrong without a request that could be told: it is tried again. */
  readonly failed: (error: unknown) => void;
}

/** A transaction with the bytes that are to leave; all of a list are of one wallet on one chain. */
export interface Shipment {
  readonly row: Omit<OpenTransaction, 'address' | 'hash' | 'state' | 'failure' | 'failureCode'> & {
    /** 20 bytes. */
    readonly address: Uint8Array;
  };
  readonly attempt: AttemptRow;
}

/** Purpose of a transaction that does nothing but take a nonce that later ones wait behind. */
export const FILL = 'fill';
