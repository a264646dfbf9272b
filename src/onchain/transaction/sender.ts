import { randomUUID } from 'node:crypto';
import { bytesToHex, hexToBytes } from 'viem';
import { equalBytes } from '../../bytes.js';
import { afterCommit } from '../../db/commit-outcome.js';
import type { Session } from '../../db/statement.js';
import { type AttemptRow, insertAttempts, selectAttempts } from '../../store/onchain/attempt.js';
import { insertTransactions, selectTransactions } from '../../store/onchain/transaction.js';
import { lockNonce, selectNonce, updateNonce } from '../../store/onchain/wallet-nonce.js';
import type { IdempotencyRecord } from '../../write/idempotency-record.js';
import type { Network } from '../network.js';
import { broadcastAndRecord } from './broadcast.js';
import type { Planned, Receipt, SendFailure, SendOptions, Sent } from './call.js';
import type { ChainDependencies, SignedTransaction } from './dependencies.js';
import { feeCeiling } from './fee.js';
import { createKeyedMutex } from './keyed-mutex.js';
import { type Preparation, prepare } from './preparation.js';
import { findMinedReceipt } from './receipt.js';
import { createReceiptWatch } from './receipt-watch.js';
import { signAttempts } from './signing.js';
import type { UsableWallet } from './wallet.js';

/** Sends the transactions of wallets exactly once, in nonce order. */
export interface Sender {
  /**
   * Sends up to 200 calls. The row of each is committed before its broadcast; a rejected call leaves no nonce gap.
   * @param plan the calls, or a function that returns them, which is not called for a repeated request
   * @returns the outcomes in the order of the plan
   * @throws AppError invalid with property `network` if it is not configured, unavailable if it does not respond;
   *   nothing was sent then
   */
  send(
    wallet: UsableWallet,
    network: Network,
    plan: readonly Planned[] | (() => Promise<readonly Planned[]>),
    options?: SendOptions,
  ): Promise<readonly (Sent | SendFailure)[]>;
  /**
   * Waits until a transaction is mined, under the hash of any of its attempts.
   * @param id of `Sent`
   * @param timeoutMs how long to wait; 0 polls once
   * @returns undefined if it is not mined by then
   */
  receipt(id: string, timeoutMs: number): Promise<Receipt | undefined>;
  /** Ends the waits for receipts. */
  stop(): void;
}

/** The decision about a call, as stored in the idempotency record. */
type Decided = { readonly id: string } | SendFailure;

const encode = (slots: readonly Decided[]): Uint8Array => Buffer.from(JSON.stringify(slots));
const decode = (bytes: Uint8Array): Decided[] => JSON.parse(Buffer.from(bytes).toString('utf8')) as Decided[];

/** Result of the database transaction: what to broadcast, or the decision of another process for the same request. */
type SendResult = { readonly signedTransactions: readonly SignedTransaction[] } | { readonly decided: Uint8Array };

interface Draft {
  readonly wallet: UsableWallet;
  readonly network: Network;
  readonly chainId: number;
  readonly preparation: Preparation;
  readonly slots: readonly Decided[];
  readonly options: SendOptions;
}

export const createSender = (deps: ChainDependencies): Sender => {
  const { db, networks, masterKey, clock } = deps;
  const runExclusively = createKeyedMutex();
  const watch = createReceiptWatch(deps);

  /** Assigns nonces, signs the transactions and inserts their rows, all or nothing. */
  const write = async (session: Session, draft: Draft): Promise<SendResult> => {
    const { wallet, network, chainId, preparation, slots, options } = draft;
    const { pendingNonce, fees } = preparation;
    const now = new Date(clock());
    // Only the chain counts transactions that another program sent from this account.
    const first = Math.max(await lockNonce(session, wallet.id, chainId, pendingNonce), pendingNonce);
    if (options.idempotencyRecord) {
      const bytes = encode(slots);
      const decision = await options.idempotencyRecord.storeDecision(bytes, session);
      if (!equalBytes(decision, bytes)) return { decided: decision };
    }
    const address = hexToBytes(wallet.address);
    let next = first;
    const rows = preparation.slots.flatMap((slot, index) => {
      const decided = slots[index] as Decided;
      if ('failure' in slot || 'failure' in decided) return [];
      const { call, gas } = slot;
      const recipient = call.to ? hexToBytes(call.to) : null;
      const row = { walletId: wallet.id, network, chainId, nonce: next, recipient, data: hexToBytes(call.data) };
      next += 1;
      const { purpose, value } = call;
      return [{ ...row, id: decided.id, purpose, value: String(value), gas: Number(gas), createdAt: now }];
    });
    const attempts = await signAttempts(session, masterKey, rows, fees, now);
    await insertTransactions(session, rows);
    await insertAttempts(session, attempts);
    await updateNonce(session, wallet.id, chainId, next);
    const signedTransactions = rows.map((row, index) => ({
      row: { ...row, address, sent: false },
      attempt: attempts[index] as AttemptRow,
    }));
    if (options.written) {
      const sent = new Map(
        signedTransactions.map(({ row, attempt }) => [
          row.id,
          { id: row.id, hash: bytesToHex(attempt.hash), nonce: row.nonce },
        ]),
      );
      const outcomes = slots.map((slot) => ('failure' in slot ? slot : (sent.get(slot.id) as Sent)));
      const maxCost = rows.reduce((sum, { value, gas }) => sum + BigInt(value) + BigInt(gas) * fees.maxFee, 0n);
      await options.written(session, outcomes, maxCost);
    }
    return { signedTransactions };
  };

  /** @returns the current outcomes of the decisions */
  const outcomesOf = async (slots: readonly Decided[]): Promise<(Sent | SendFailure)[]> => {
    const ids = slots.flatMap((slot) => ('id' in slot ? [slot.id] : []));
    const [rows, attempts] = await Promise.all([selectTransactions(db, ids), selectAttempts(db, ids)]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return slots.map((slot) => {
      if ('failure' in slot) return slot;
      const row = byId.get(slot.id);
      if (row?.state === 'refused') {
        return { failure: { code: row.failureCode ?? 'Refused', message: row.failure ?? 'The network refused it.' } };
      }
      const first = attempts.get(slot.id)?.find(({ nonce }) => nonce === row?.nonce);
      if (!row || !first) throw new Error(`transaction ${slot.id} is gone`);
      return { id: row.id, hash: bytesToHex(first.hash), nonce: row.nonce };
    });
  };

  /** Deletes the idempotency record if nothing was sent, so that a repeated request may send something. */
  const answer = async (
    slots: readonly Decided[],
    idempotencyRecord: IdempotencyRecord | undefined,
  ): Promise<(Sent | SendFailure)[]> => {
    const outcomes = await outcomesOf(slots);
    if (outcomes.every((outcome) => 'failure' in outcome)) await idempotencyRecord?.forget(encode(slots));
    return outcomes;
  };

  /** Continues after an earlier request or another process, which may have ended before the broadcast. */
  const resume = async (
    decided: Uint8Array,
    network: Network,
    idempotencyRecord: IdempotencyRecord | undefined,
  ): Promise<(Sent | SendFailure)[]> => {
    const slots = decode(decided);
    const ids = slots.flatMap((slot) => ('id' in slot ? [slot.id] : []));
    const [rows, attempts] = await Promise.all([selectTransactions(db, ids), selectAttempts(db, ids)]);
    const unsent = rows
      .filter(({ state, sent }) => state === 'open' && !sent)
      .sort((a, b) => a.nonce - b.nonce)
      .flatMap((row) => {
        const list = attempts.get(row.id) ?? [];
        const attempt = list.at(-1);
        return attempt && list.length === 1 ? [{ row, attempt }] : [];
      });
    await broadcastAndRecord(deps, networks.client(network), unsent, false);
    return answer(slots, idempotencyRecord);
  };

  return {
    send: async (wallet, network, plan, options = {}) => {
      const { idempotencyRecord } = options;
      const client = networks.client(network);
      const decided = await idempotencyRecord?.loadDecision();
      if (decided) return resume(decided, network, idempotencyRecord);
      const chainId = networks.chainId(network);
      const planned = typeof plan === 'function' ? await plan() : plan;
      const preparation = await prepare(client, wallet.address, planned, {
        maxFee: feeCeiling(chainId, deps.maxFeeGwei),
        nonce: await selectNonce(db, wallet.id, chainId),
      });
      const slots = preparation.slots.map((slot): Decided => ('failure' in slot ? slot : { id: randomUUID() }));
      if (slots.every((slot) => 'failure' in slot)) return slots as SendFailure[];
      const draft = { wallet, network, chainId, preparation, slots, options };
      const written = await runExclusively(`${wallet.id} ${chainId}`, () =>
        db.transaction((session) => write(session, draft)),
      );
      if ('decided' in written) return resume(written.decided, network, idempotencyRecord);
      // The rows are committed, so the tracker broadcasts them if anything fails from here on.
      await broadcastAndRecord(deps, client, written.signedTransactions, true).catch(deps.failed);
      return afterCommit(() => answer(slots, idempotencyRecord));
    },
    receipt: async (id, timeoutMs) => {
      const [row] = await selectTransactions(db, [id]);
      if (!row) return undefined;
      if (row.state === 'open') {
        const found = timeoutMs > 0 ? await watch.wait(row, timeoutMs) : await watch.look(row);
        if (found) return found;
      }
      const [now] = row.state === 'open' ? await selectTransactions(db, [id]) : [row];
      if (now?.state !== 'mined' || !now.hash) return undefined;
      return findMinedReceipt(networks.client(now.network as Network), now.hash);
    },
    stop: () => watch.stop(),
  };
};
