import { formatEther, type Hex } from 'viem';
import { afterCommit } from '../db/commit-outcome.js';
import type { Session } from '../db/statement.js';
import { AppError, invalidField } from '../error.js';
import { REGISTRY_NETWORK, registryClient } from '../onchain/registry/contract.js';
import { readRegistryRevert } from '../onchain/registry/revert.js';
import type { Call, Receipt, SendFailure, Sent } from '../onchain/transaction/call.js';
import { receiptOf } from '../onchain/transaction/receipt-wait.js';
import type { Sender } from '../onchain/transaction/sender.js';
import type { UsableWallet } from '../onchain/transaction/wallet.js';
import { selectTransactions } from '../store/onchain/transaction.js';
import { addDailySpend } from '../store/registry/daily-spend.js';
import { insertRegistryTransaction } from '../store/registry/registry-transaction.js';
import type { IdempotencyRecord } from '../write/idempotency-record.js';
import { ingestReceipt, type LogIngestDependencies } from './receipt-ingest.js';

/** A call of the contracts of accounts and storage. */
export interface RegistryRequest {
  /** Id of the app that pays, or of the wallet if accounts are registered in advance. */
  readonly spenderId: string;
  readonly wallet: UsableWallet;
  /** Checks everything that can fail and returns the call. It is not called for a repeated request. */
  readonly plan: () => Promise<Call>;
  readonly idempotencyRecord?: IdempotencyRecord | undefined;
  /** Writes rows together with the transaction, before it is broadcast. */
  readonly written?: (session: Session, sent: Sent) => Promise<void>;
}

/**
 * @param data revert data of the contract
 * @returns the error for a call that its contract rejects
 */
export const revertError = (data: Hex | undefined, property: string): AppError =>
  invalidField(property, readRegistryRevert(data));

/** Pays for accounts and storage: within the daily limit, once, and with the events in the store. */
export interface RegistrySender {
  /**
   * @throws AppError `not_implemented` without OP Mainnet, `invalid` for a call that its contract rejects, a
   *   wallet that cannot pay or an exceeded daily limit; nothing was sent then
   */
  send(request: RegistryRequest): Promise<Sent>;
  /**
   * Waits until a transaction is mined, and stores its events.
   * @returns undefined if it is not mined in time
   * @throws AppError `internal` with code `TransactionFailed` if it was mined but reverted, or refused by every node
   */
  receipt(transactionId: string, timeoutMs: number): Promise<Receipt | undefined>;
}

export interface RegistrySenderDependencies extends LogIngestDependencies {
  readonly db: Parameters<typeof ingestReceipt>[0]['db'];
  readonly sender: Sender;
  /** Wei that an app may spend on a day. */
  readonly dailySpend: bigint;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

const WALLET_HEADER = 'x-wallet-id';

const notSent = ({ failure: { code, message, revert } }: SendFailure): AppError => {
  if (code === 'Reverted') return revertError(revert, 'body');
  return new AppError('invalid', code, message, { property: WALLET_HEADER });
};

const failed = (hash: Hex): AppError => {
  const message = `The transaction ${hash} was mined, but its contract rejected it: only its gas is spent. Send a new request.`;
  return new AppError('internal', 'TransactionFailed', message);
};

/** @returns the error for a transaction that is not mined in time */
export const stillPending = (hash: Hex, advice: string): AppError =>
  new AppError('internal', 'TransactionPending', `The transaction ${hash} is not known to be mined yet. ${advice}`);

export const createRegistrySender = (deps: RegistrySenderDependencies): RegistrySender => {
  const { sender, networks, dailySpend, clock } = deps;

  const bookSpend = async (session: Session, spenderId: string, wei: bigint): Promise<void> => {
    if (await addDailySpend(session, spenderId, { wei, limit: dailySpend }, new Date(clock()))) return;
    const message = `This would cost up to ${formatEther(wei)} ether, more than what is left of ${formatEther(dailySpend)} ether a day (UTC): the operator can raise CASTELLAN_DAILY_SPEND_ETHER.`;
    throw new AppError('invalid', 'SpendLimitExceeded', message, { property: WALLET_HEADER });
  };

  return {
    send: async ({ spenderId, wallet, plan, idempotencyRecord, written }) => {
      registryClient(networks);
      const [sent] = await sender.send(wallet, REGISTRY_NETWORK, async () => [await plan()], {
        idempotencyRecord,
        written: async (session, [outcome], maxCost) => {
          if (!outcome || 'failure' in outcome) return;
          await bookSpend(session, spenderId, maxCost);
          await insertRegistryTransaction(session, outcome.id, new Date(clock()));
          await written?.(session, outcome);
        },
      });
      if (!sent) throw new Error('the sender returned no outcome');
      if ('failure' in sent) throw notSent(sent);
      return sent;
    },
    receipt: async (transactionId, timeoutMs) => {
      const receipt = await receiptOf(sender, transactionId, timeoutMs);
      if (!receipt) {
        const [row] = await selectTransactions(deps.db, [transactionId]);
        if (row?.state !== 'refused') return undefined;
        throw new AppError('internal', 'TransactionFailed', 'No node accepted the transaction. Send a new request.');
      }
      await afterCommit(() => ingestReceipt(deps, transactionId, receipt));
      if (receipt.status !== 'success') throw failed(receipt.transactionHash);
      return receipt;
    },
  };
};
