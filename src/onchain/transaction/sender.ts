import { randomUUID } from 'node:crypto';
import { type Address, bytesToHex, type Hex, hexToBytes, type TransactionReceipt } from 'viem';
import { type AttemptRow, insertAttempts, selectAttempts } from '../../store/chain-attempt.js';
import { insertTransactions, selectTransactions } from '../../store/chain-transaction.js';
import { afterCommit } from '../../store/commit-outcome.js';
import type { Session } from '../../store/database.js';
import { lockNonce, selectNonce, updateNonce } from '../../store/wallet-nonce.js';
import type { Journal } from '../../write/journal.js';
import { signAttempts } from './signing.js';
import type { ChainParts, Shipment } from '../chain-parts.js';
import { feeCeiling } from './fee.js';
import { createLanes } from './keyed-mutex.js';
import type { Network } from '../network.js';
import { type Preparation, prepare } from './preparation.js';
import { lookReceipt } from '../receipt.js';
import { createReceiptWatch } from './receipt-watch.js';
import { transmit } from '../transmit.js';
import type { UsableWallet } from './wallet.js';

/** What a wallet is to do on a chain. */
export interface Call {
  /** Absent: the data makes a contract. */
  readonly to?: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** The limit of gas; absent: estimated, with a margin. */
  readonly gas?: bigint;
  /** A word for the operator's list of open transactions: `deploy`, `mint`. */
  readonly purpose: string;
}

/** A transaction that is on its way: its row is committed, so that its outcome is found whatever happens to the process. */
export interface Sent {
  readonly id: string;
  /** Of the transaction as it was sent first; when it is sent again at a higher price, the receipt has another hash. */
  readonly hash: Hex;
  /** Decides the address of the contract that it makes (`getContractAddress` of viem). */
  readonly nonce: number;
}

/** A call of which nothing was sent, and whose nonce no other call lacks. */
export interface SendFailure {
  readonly failure: {
    /** `Reverted`, `InsufficientFunds`, `Refused`, or what the caller put there. */
    readonly code: string;
    /** For the caller of the interface. */
    readonly message: string;
    /** What the contract reverted with, to be decoded with its ABI. */
    readonly revert?: Hex;
  };
}

/** A call, or a failure known before: it comes back at its place, so that the answers stand as the questions did. */
export type Planned = Call | SendFailure;

export interface SendOptions {
  /** Makes a request that comes again send once; then nothing is planned anew, and the answer is that of the first. */
  readonly journal?: Journal | undefined;
  /**
   * Runs in the transaction that keeps the rows, before anything is sent: what is written here is there if and only if
   * the calls are. `outcomes` stand as the plan does.
   */
  readonly written?: (session: Session, outcomes: readonly (Sent | SendFailure)[]) => Promise<void>;
}

/** What the chain says of a transaction that was mined: its `status` may be `reverted`. */
export type Receipt = TransactionReceipt;

/** Sends transactions of wallets: each once, in the order of their nonces. */
export interface Sender {
  /**
   * Sends up to 200 calls. Each has its row before its bytes leave; what the chain refuses leaves no gap.
   * @param plan the calls, or what makes them, which is not asked when the journal remembers an earlier try
   * @returns for each planned call, in order, its transaction or why there is none
   * @throws AppError invalid with property `network` when it is not configured, unavailable when it does not answer;
   *   nothing was sent then
   */
  send(
    wallet: UsableWallet,
    network: Network,
    plan: readonly Planned[] | (() => Promise<readonly Planned[]>),
    options?: SendOptions,
  ): Promise<readonly (Sent | SendFailure)[]>;
  /**
   * Waits until a transaction is mined, under whichever of its hashes.
   * @param id of `Sent`
   * @param timeoutMs how long to wait; 0 looks once
   * @returns undefined when it is not mined by then
   */
  receipt(id: string, timeoutMs: number): Promise<Receipt | undefined>;
  /** Ends the waiting for receipts. */
  stop(): void;
}

/** What a request decided on, as its journal keeps it. */
type Decided = { readonly id: string } | SendFailure;

const encode = (slots: readonly Decided[]): Uint8Array => Buffer.from(JSON.stringify(slots));
const decode = (bytes: Uint8Array): Decided[] => JSON.parse(Buffer.from(bytes).toString('utf8')) as Decided[];

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** How far a send came in its transaction: what has to leave, or what another process decided on. */
type Written = { readonly shipments: readonly Shipment[] } | { readonly decided: Uint8Array };

interface Draft {
  readonly wallet: UsableWallet;
  readonly network: Network;
  readonly chainId: number;
  readonly preparation: Preparation;
  readonly slots: readonly Decided[];
  readonly options: SendOptions;
}

export const createSender = (parts: ChainParts): Sender => {
  const { db, networks, masterKey, clock } = parts;
  const lanes = createLanes();
  const watch = createReceiptWatch(parts);

  /** Hands out nonces, signs and keeps the rows, all or nothing. */
  const write = async (session: Session, draft: Draft): Promise<Written> => {
    const { wallet, network, chainId, preparation, slots, options } = draft;
    const { pendingNonce, fees } = preparation;
    const now = new Date(clock());
    // What another program sent from this account is counted by the chain alone.
    const first = Math.max(await lockNonce(session, wallet.id, chainId, pendingNonce), pendingNonce);
    if (options.journal) {
      const bytes = encode(slots);
      const counts = await options.journal.decide(bytes, session);
      if (!isSame(counts, bytes)) return { decided: counts };
    }
    const address = hexToBytes(wallet.address);
    let next = first;
    const rows = preparation.slots.flatMap((slot, place) => {
      const decided = slots[place] as Decided;
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
    const shipments = rows.map((row, place) => ({
      row: { ...row, address, sent: false },
      attempt: attempts[place] as AttemptRow,
    }));
    if (options.written) {
      const sent = new Map(
        shipments.map(({ row, attempt }) => [row.id, { id: row.id, hash: bytesToHex(attempt.hash), nonce: row.nonce }]),
      );
      const outcomes = slots.map((slot) => ('failure' in slot ? slot : (sent.get(slot.id) as Sent)));
      await options.written(session, outcomes);
    }
    return { shipments };
  };

  /** @returns how what was decided on stands. */
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

  /** Of a request of which nothing was sent, the next try may send something. */
  const answer = async (slots: readonly Decided[], journal: Journal | undefined): Promise<(Sent | SendFailure)[]> => {
    const outcomes = await outcomesOf(slots);
    if (outcomes.every((outcome) => 'failure' in outcome)) await journal?.forget(encode(slots));
    return outcomes;
  };

  /** Goes on where an earlier try, or another process, stopped: perhaps between the rows and the network. */
  const resume = async (
    decided: Uint8Array,
    network: Network,
    journal: Journal | undefined,
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
    await transmit(parts, networks.client(network), unsent, false);
    return answer(slots, journal);
  };

  return {
    send: async (wallet, network, plan, options = {}) => {
      const { journal } = options;
      const client = networks.client(network);
      const decided = await journal?.recall();
      if (decided) return resume(decided, network, journal);
      const chainId = networks.chainId(network);
      const planned = typeof plan === 'function' ? await plan() : plan;
      const preparation = await prepare(client, wallet.address, planned, {
        maxFee: feeCeiling(chainId, parts.maxFeeGwei),
        nonce: await selectNonce(db, wallet.id, chainId),
      });
      const slots = preparation.slots.map((slot): Decided => ('failure' in slot ? slot : { id: randomUUID() }));
      if (slots.every((slot) => 'failure' in slot)) return slots as SendFailure[];
      const draft = { wallet, network, chainId, preparation, slots, options };
      const written = await lanes.run(`${wallet.id} ${chainId}`, () =>
        db.transaction((session) => write(session, draft)),
      );
      if ('decided' in written) return resume(written.decided, network, journal);
      // The rows are there: whatever goes wrong from here on, the follower goes on with them.
      await transmit(parts, client, written.shipments, true).catch(parts.failed);
      return afterCommit(() => answer(slots, journal));
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
      return lookReceipt(networks.client(now.network as Network), now.hash);
    },
    stop: () => watch.stop(),
  };
};
