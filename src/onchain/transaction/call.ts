import type { Address, Hex, TransactionReceipt } from 'viem';
import type { Session } from '../../db/statement.js';
import type { IdempotencyRecord } from '../../write/idempotency-record.js';
import type { Network } from '../network.js';
import type { UsableWallet } from './wallet.js';

/** A call that a wallet sends to a chain as one transaction. */
export interface Call {
  /** Absent for a transaction that creates a contract. */
  readonly to?: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Gas limit; absent: estimated, with a margin. */
  readonly gas?: bigint;
  /** Label in the operator's list of open transactions: `deploy`, `mint`. */
  readonly purpose: string;
}

/** A request that a wallet pays for. */
export interface WalletRequest {
  readonly wallet: UsableWallet;
  readonly network: Network;
  readonly idempotencyRecord: IdempotencyRecord | undefined;
}

/** A call whose transaction row is committed, so that its outcome is found even if the process ends. */
export interface Sent {
  readonly id: string;
  /** Hash of the first attempt. A receipt has another hash if the transaction was replaced at a higher fee. */
  readonly hash: Hex;
  /** Determines the address of a contract that the transaction creates (viem's `getContractAddress`). */
  readonly nonce: number;
}

/** A call that was not sent and holds no nonce. */
export interface SendFailure {
  readonly failure: {
    /** `Reverted`, `InsufficientFunds`, `Refused`, or a code of the caller's. */
    readonly code: string;
    /** Shown to the API client. */
    readonly message: string;
    /** Revert data of the contract, to be decoded with its ABI. */
    readonly revert?: Hex;
  };
}

/** A call, or a failure known in advance, which is returned at the same index. */
export type Planned = Call | SendFailure;

export interface SendOptions {
  /** Makes a repeated request idempotent: it sends nothing and returns the outcome of the first. */
  readonly idempotencyRecord?: IdempotencyRecord | undefined;
  /**
   * Runs in the database transaction that inserts the rows, before the broadcast: its writes commit together with them.
   * `outcomes` has the order of the plan; `maxCost` is what the transactions cost together at most, in wei.
   */
  readonly written?: (session: Session, outcomes: readonly (Sent | SendFailure)[], maxCost: bigint) => Promise<void>;
}

/** Receipt of a mined transaction, whose `status` may be `reverted`. */
export type Receipt = TransactionReceipt;
