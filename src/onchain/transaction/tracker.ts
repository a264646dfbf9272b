import { bytesToHex } from 'viem';
import { createPollingLoop } from '../../delivery/polling-loop.js';
import { UNANNOUNCED_WORK_MS } from '../../duration.js';
import { AppError } from '../../error.js';
import { runDue } from '../../store/job-run.js';
import { type AttemptRow, selectAttempts } from '../../store/onchain/attempt.js';
import {
  type OpenTransaction,
  selectNonceHolders,
  selectOpenTransactions,
  updateTransactionFailure,
  updateTransactionsReopened,
} from '../../store/onchain/transaction.js';
import type { ChainClient, Network } from '../network.js';
import { broadcastAndRecord } from './broadcast.js';
import { type AccountState, confirmTransactions } from './confirmation.js';
import type { ChainDependencies } from './dependencies.js';
import { feeCeiling, readFees } from './fee.js';
import { needsPrice, reprice } from './fee-bump.js';
import { fillNonceGaps, lowerNonces, reassignNonces } from './nonce-recovery.js';
import { nonceUseOf } from './nonce-use.js';
import { storeReceipt } from './receipt.js';

/** Times in milliseconds. */
export interface TrackerTiming {
  /** Between two rounds, counted over all processes. */
  readonly every: number;
  /**
   * The tracker leaves new rows alone for this long: the process that created a row broadcasts it itself. Longer than
   * the timeout of a chain call.
   */
  readonly rest: number;
  /** Time after which the same bytes are broadcast again. */
  readonly again: number;
  /** Time after which a pending transaction is signed again at a higher price. */
  readonly stuck: number;
  /** How long an endpoint may lag behind another one before its missing data counts as absent. */
  readonly lag: number;
}

export const TRACKER_TIMING: TrackerTiming = {
  every: 5000,
  rest: 10_000,
  again: 30_000,
  stuck: 60_000,
  lag: 30_000,
};

/** Transactions of one wallet with used nonces that are examined in one round. */
const MAX_REPLACED = 16;

const UNCLEAR = {
  code: 'NonceUsed',
  message:
    'Its nonce is used, and no endpoint has a receipt or tells by what: set CASTELLAN_RPC_* to an endpoint that keeps old state.',
};

/** Nonces that are filled in one gap: each costs a transfer. */
const MAX_FILLS = 16;

/** A larger gap comes from an endpoint that reported a wrong nonce, as no wallet sends that many transactions. */
const MAX_NONCE_GAP = 1000;

const GAP = {
  code: 'NonceGap',
  message: `More than ${MAX_FILLS} nonces before it are used by nothing: send as many transactions with the key of the wallet, or wait for those of another program.`,
};

/** Brings every open transaction to an outcome. */
export interface TransactionTracker {
  /** Runs a round now and then at regular intervals, in one process at a time. */
  start(): void;
  /** Runs a round in this process, even if another process runs one. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

const groupOf = (row: OpenTransaction): string => `${row.walletId} ${row.chainId}`;

/** Key of a wallet's nonce gap in `suspiciousSince`. */
const gapOf = (row: OpenTransaction): string => `gap ${groupOf(row)}`;

const grouped = (rows: readonly OpenTransaction[]): OpenTransaction[][] => {
  const groups = new Map<string, OpenTransaction[]>();
  for (const row of rows) {
    const group = groups.get(groupOf(row));
    if (group) group.push(row);
    else groups.set(groupOf(row), [row]);
  }
  return [...groups.values()];
};

export const createTransactionTracker = (
  deps: ChainDependencies,
  timing: TrackerTiming = TRACKER_TIMING,
): TransactionTracker => {
  const { db, networks, clock, failed } = deps;
  /** Time of the last broadcast of each attempt, by hash. */
  const broadcastAt = new Map<string, { readonly id: string; readonly at: number }>();
  /** When each anomaly was first seen: a nonce used by an unknown transaction, or a nonce gap. */
  const suspiciousSince = new Map<string, number>();

  const isSuspiciousForLong = (what: string): boolean => {
    const since = suspiciousSince.get(what) ?? clock();
    suspiciousSince.set(what, since);
    return clock() - since >= timing.lag;
  };

  /** Re-signs transactions whose nonces were used by another program with the same key. */
  const replaceSuperseded = async (client: ChainClient, { count, open }: AccountState): Promise<void> => {
    // A single wrong answer of an endpoint that lags is corrected by the next one.
    for (const { id, nonce } of open) if (nonce >= count) suspiciousSince.delete(id);
    const odd = open.filter(({ id, nonce }) => nonce < count && isSuspiciousForLong(id)).slice(0, MAX_REPLACED);
    const [head] = odd;
    if (!head) return;
    const attempts = await selectAttempts(
      db,
      odd.map(({ id }) => id),
    );
    const ids: string[] = [];
    for (const row of odd) {
      const { id } = row;
      const found = await nonceUseOf(client, row, attempts.get(id) ?? []);
      if (typeof found === 'object') await storeReceipt(db, id, found, new Date(clock()));
      else if (found === 'other') ids.push(id);
      else if (found === 'unclear') await updateTransactionFailure(db, id, UNCLEAR);
      // Checked again after `lag`, because the search takes a few calls.
      suspiciousSince.set(id, clock());
    }
    if (ids.length === 0) return;
    // A rejection must not fail it, because an earlier attempt was broadcast.
    await broadcastAndRecord(deps, client, await reassignNonces(deps, client, head, ids), false);
  };

  /** Fills unused nonces before the last open transaction. Their transactions were dropped by the network. */
  const closeGaps = async (client: ChainClient, { count, open }: AccountState): Promise<void> => {
    const waiting = open.filter(({ nonce }) => nonce >= count);
    const [head, last] = [waiting[0], waiting.at(-1)];
    if (!head || !last) return;
    const gap = gapOf(head);
    if (last.nonce - count + 1 === waiting.length) return void suspiciousSince.delete(gap);
    if (!isSuspiciousForLong(gap)) return;
    const { walletId, chainId } = head;
    const pending = await client.getTransactionCount({ address: bytesToHex(head.address), blockTag: 'pending' });
    const holders = await selectNonceHolders(db, { walletId, chainId, from: pending, to: last.nonce });
    // A mined transaction whose block was replaced: its bytes are still valid.
    const replaced = holders.filter(({ state }) => state === 'mined');
    await updateTransactionsReopened(
      db,
      replaced.map(({ id }) => id),
    );
    const held = new Set(holders.map(({ nonce }) => nonce));
    const free: number[] = [];
    for (let nonce = pending; nonce < last.nonce && free.length <= MAX_FILLS; nonce += 1) {
      if (!held.has(nonce)) free.push(nonce);
    }
    const lowest = waiting.find(({ nonce }) => nonce >= pending);
    if (free.length > MAX_FILLS && lowest) {
      // If the node's pool holds more transactions than its blocks, the gap may still be filled by them.
      if (lowest.nonce - pending > MAX_NONCE_GAP && pending === count && replaced.length === 0) {
        suspiciousSince.delete(gap);
        await broadcastAndRecord(deps, client, await lowerNonces(deps, client, head, pending), false);
      } else await updateTransactionFailure(db, lowest.id, GAP);
      return;
    }
    if (free.length > 0) await broadcastAndRecord(deps, client, await fillNonceGaps(deps, client, head, free), true);
  };

  const isDue = ({ hash, createdAt }: AttemptRow, row: OpenTransaction): boolean => {
    const before = broadcastAt.get(bytesToHex(hash));
    const now = clock();
    if (before !== undefined) return now - before.at >= timing.again;
    // After a restart the times of the last broadcasts are unknown.
    return now - createdAt.getTime() >= (row.sent ? timing.again : timing.rest);
  };

  /** Nodes drop transactions, and a process may have ended before its first broadcast. */
  const rebroadcast = async (
    client: ChainClient,
    waiting: readonly OpenTransaction[],
    attempts: ReadonlyMap<string, readonly AttemptRow[]>,
  ): Promise<void> => {
    const due = waiting.flatMap((row) => {
      const list = attempts.get(row.id) ?? [];
      const attempt = list.at(-1);
      if (!attempt || !isDue(attempt, row)) return [];
      broadcastAt.set(bytesToHex(attempt.hash), { id: row.id, at: clock() });
      return [{ row: { ...row, sent: row.sent || list.length > 1 }, attempt }];
    });
    await broadcastAndRecord(deps, client, due, false);
  };

  const raisePrices = async (
    client: ChainClient,
    waiting: readonly OpenTransaction[],
    attempts: ReadonlyMap<string, readonly AttemptRow[]>,
    count: number,
  ): Promise<void> => {
    const isStuck = ({ id }: OpenTransaction): boolean => {
      const last = attempts.get(id)?.at(-1);
      return last !== undefined && clock() - last.createdAt.getTime() >= timing.stuck;
    };
    const stuck = waiting.filter(isStuck);
    const [head] = stuck;
    if (!head) return;
    const market = await readFees(client, feeCeiling(head.chainId, deps.maxFeeGwei)).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'FeeTooHigh') return error;
      throw error;
    });
    if (market instanceof AppError) return updateTransactionFailure(db, head.id, market);
    for (const row of stuck) {
      const list = attempts.get(row.id) ?? [];
      const last = list.at(-1);
      if (!last || !needsPrice(row, list, market, count)) continue;
      const signedTransaction = await reprice(deps, row.id, last, market);
      if (signedTransaction) await broadcastAndRecord(deps, client, [signedTransaction], false);
    }
  };

  const follow = async (rows: readonly OpenTransaction[]): Promise<void> => {
    const head = rows[0] as OpenTransaction;
    const network = head.network as Network;
    // The operator removed the network, or its endpoint is on another chain; `castellan doctor` reports that.
    if (!networks.configured.includes(network) || networks.chainId(network) !== head.chainId) return;
    const client = networks.client(network);
    const confirmation = await confirmTransactions(deps, client, rows);
    await replaceSuperseded(client, confirmation);
    const waiting = confirmation.open.filter(({ nonce }) => nonce >= confirmation.count);
    const attempts = await selectAttempts(
      db,
      waiting.map(({ id }) => id),
    );
    await rebroadcast(client, waiting, attempts);
    await closeGaps(client, confirmation);
    await raisePrices(client, waiting, attempts, confirmation.count);
  };

  /** Removes what is no longer open from the maps. */
  const forget = (rows: readonly OpenTransaction[]): void => {
    const open = new Set(rows.flatMap((row) => [row.id, gapOf(row)]));
    for (const what of suspiciousSince.keys()) if (!open.has(what)) suspiciousSince.delete(what);
    for (const [hash, { id }] of broadcastAt) if (!open.has(id)) broadcastAt.delete(hash);
  };

  const round = async (): Promise<void> => {
    const rows = await selectOpenTransactions(db);
    forget(rows);
    // Calls to chains are aborted when the service stops.
    const onError = (error: unknown): void => void (rounds.isStopping || failed(error));
    await Promise.all(grouped(rows).map((group) => follow(group).catch(onError)));
  };
  const rounds = createPollingLoop({
    // As long as a new row is left alone: see `rest`.
    everyMs: Math.max(timing.every, UNANNOUNCED_WORK_MS),
    round: async () => {
      const open = await selectOpenTransactions(db);
      if (open.length === 0) return forget(open);
      rounds.pollIn(timing.every);
      // A little less than the interval: timer ticks are not exact, and otherwise every second one would be too early.
      await runDue(db, 'follow-transactions', timing.every * 0.9, round);
    },
    failed,
  });
  return { start: rounds.start, round, stop: rounds.stop };
};
