import { bytesToHex } from 'viem';
import { createRounds } from '../delivery/round.js';
import { AppError } from '../error.js';
import { type AttemptRow, selectAttempts } from '../store/chain-attempt.js';
import {
  type OpenTransaction,
  selectNonceHolders,
  selectOpenTransactions,
  updateTransactionFailure,
  updateTransactionsReopened,
} from '../store/chain-transaction.js';
import { runDue } from '../store/job-run.js';
import type { ChainParts } from './chain-parts.js';
import { displacementOf } from './transaction/nonce-use.js';
import { feeCeiling, readFees } from './transaction/fee.js';
import type { ChainClient, Network } from './network.js';
import { fillNonces, moveDown, takeNewNonces } from './renonce.js';
import { needsPrice, reprice } from './transaction/fee-bump.js';
import { type Standing, settle } from './settle.js';
import { transmit } from './transmit.js';

/** How patient the follower is, in milliseconds. */
export interface FollowerPatience {
  /** Between two looks, of all processes together. */
  readonly every: number;
  /** Whoever made a row hands it in himself within this time: longer than a call to a chain may take. */
  readonly rest: number;
  /** After which the same bytes are handed in again. */
  readonly again: number;
  /** After which a transaction that is not mined is offered at a higher price. */
  readonly stuck: number;
  /** How long an endpoint may lag behind another before what it does not know is believed to be not there. */
  readonly lag: number;
}

export const FOLLOWER_PATIENCE: FollowerPatience = {
  every: 5000,
  rest: 10_000,
  again: 30_000,
  stuck: 60_000,
  lag: 30_000,
};

/** Transactions of a wallet whose nonces something used, looked into in a round. */
const MAX_DISPLACED = 16;

const UNCLEAR = {
  code: 'NonceUsed',
  message:
    'Its nonce is used, and no endpoint has a receipt or tells by what: set RPC_* to an endpoint that keeps old state.',
};

/** Nonces that are filled in one gap: each costs a transfer. */
const MAX_FILLS = 16;

/** A gap that no wallet closes by going on: only a lie about its nonce makes one. */
const FAR = 1000;

const GAP = {
  code: 'NonceGap',
  message: `More than ${MAX_FILLS} nonces before it are used by nothing: send as many transactions with the key of the wallet, or wait for those of another program.`,
};

/** Finds the outcome of every open transaction, and sees to it that there is one. */
export interface Follower {
  /** Looks now, and from then on regularly; one process at a time. */
  start(): void;
  /** Makes one round in this process, whatever others do. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

const groupOf = (row: OpenTransaction): string => `${row.walletId} ${row.chainId}`;

/** Under which a gap of the wallet's nonces is remembered. */
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

export const createFollower = (parts: ChainParts, patience: FollowerPatience = FOLLOWER_PATIENCE): Follower => {
  const { db, networks, clock, failed } = parts;
  /** When the same bytes were handed in the last time, by hash. */
  const handedIn = new Map<string, { readonly id: string; readonly at: number }>();
  /** Since when something looks odd: a nonce that is used by none of ours, or one that nobody holds. */
  const oddSince = new Map<string, number>();

  const isOddForLong = (what: string): boolean => {
    const since = oddSince.get(what) ?? clock();
    oddSince.set(what, since);
    return clock() - since >= patience.lag;
  };

  /** Another program that holds the key used the nonce. */
  const replaceDisplaced = async (client: ChainClient, { count, open }: Standing): Promise<void> => {
    // A single odd answer of an endpoint that lags is over with the next one.
    for (const { id, nonce } of open) if (nonce >= count) oddSince.delete(id);
    const odd = open.filter(({ id, nonce }) => nonce < count && isOddForLong(id)).slice(0, MAX_DISPLACED);
    const [head] = odd;
    if (!head) return;
    const attempts = await selectAttempts(
      db,
      odd.map(({ id }) => id),
    );
    const ids: string[] = [];
    for (const { id, nonce, address } of odd) {
      const found = await displacementOf(client, bytesToHex(address), nonce, attempts.get(id) ?? []);
      if (found === 'other') ids.push(id);
      else if (found === 'unclear') await updateTransactionFailure(db, id, UNCLEAR);
      // Looked at again after as long as this time: the search costs a few calls.
      oddSince.set(id, clock());
    }
    if (ids.length === 0) return;
    // Not ended by a refusal: an earlier attempt left.
    await transmit(parts, client, await takeNewNonces(parts, client, head, ids), false);
  };

  /** Nonces before the last open one that nobody holds: what held them was dropped by the network. */
  const closeGaps = async (client: ChainClient, { count, open }: Standing): Promise<void> => {
    const waiting = open.filter(({ nonce }) => nonce >= count);
    const [head, last] = [waiting[0], waiting.at(-1)];
    if (!head || !last) return;
    const gap = gapOf(head);
    if (last.nonce - count + 1 === waiting.length) return void oddSince.delete(gap);
    if (!isOddForLong(gap)) return;
    const { walletId, chainId } = head;
    const pending = await client.getTransactionCount({ address: bytesToHex(head.address), blockTag: 'pending' });
    const holders = await selectNonceHolders(db, { walletId, chainId, from: pending, to: last.nonce });
    // What was mined, and is not now: its block went. Its bytes are as good as they were.
    const gone = holders.filter(({ state }) => state === 'mined');
    await updateTransactionsReopened(
      db,
      gone.map(({ id }) => id),
    );
    const held = new Set(holders.map(({ nonce }) => nonce));
    const free: number[] = [];
    for (let nonce = pending; nonce < last.nonce && free.length <= MAX_FILLS; nonce += 1) {
      if (!held.has(nonce)) free.push(nonce);
    }
    const lowest = waiting.find(({ nonce }) => nonce >= pending);
    if (free.length > MAX_FILLS && lowest) {
      // A node that knows of more in its pool than in blocks may be about to use them.
      if (lowest.nonce - pending > FAR && pending === count && gone.length === 0) {
        oddSince.delete(gap);
        await transmit(parts, client, await moveDown(parts, client, head, pending), false);
      } else await updateTransactionFailure(db, lowest.id, GAP);
      return;
    }
    if (free.length > 0) await transmit(parts, client, await fillNonces(parts, client, head, free), true);
  };

  const isDue = ({ hash, createdAt }: AttemptRow, row: OpenTransaction): boolean => {
    const before = handedIn.get(bytesToHex(hash));
    const now = clock();
    if (before !== undefined) return now - before.at >= patience.again;
    // After a start nobody knows what the pools hold.
    return now - createdAt.getTime() >= (row.sent ? patience.again : patience.rest);
  };

  /** Pools forget, and a process may have died before it handed in anything. */
  const handInAgain = async (
    client: ChainClient,
    waiting: readonly OpenTransaction[],
    attempts: ReadonlyMap<string, readonly AttemptRow[]>,
  ): Promise<void> => {
    const due = waiting.flatMap((row) => {
      const list = attempts.get(row.id) ?? [];
      const attempt = list.at(-1);
      if (!attempt || !isDue(attempt, row)) return [];
      handedIn.set(bytesToHex(attempt.hash), { id: row.id, at: clock() });
      return [{ row: { ...row, sent: row.sent || list.length > 1 }, attempt }];
    });
    await transmit(parts, client, due, false);
  };

  const raisePrices = async (
    client: ChainClient,
    waiting: readonly OpenTransaction[],
    attempts: ReadonlyMap<string, readonly AttemptRow[]>,
    count: number,
  ): Promise<void> => {
    const isStuck = ({ id }: OpenTransaction): boolean => {
      const last = attempts.get(id)?.at(-1);
      return last !== undefined && clock() - last.createdAt.getTime() >= patience.stuck;
    };
    const stuck = waiting.filter(isStuck);
    const [head] = stuck;
    if (!head) return;
    const market = await readFees(client, feeCeiling(head.chainId, parts.maxFeeGwei)).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'FeeTooHigh') return error;
      throw error;
    });
    if (market instanceof AppError) return updateTransactionFailure(db, head.id, market);
    for (const row of stuck) {
      const list = attempts.get(row.id) ?? [];
      const last = list.at(-1);
      if (!last || !needsPrice(row, list, market, count)) continue;
      const shipment = await reprice(parts, row.id, last, market);
      if (shipment) await transmit(parts, client, [shipment], false);
    }
  };

  const follow = async (rows: readonly OpenTransaction[]): Promise<void> => {
    const head = rows[0] as OpenTransaction;
    const network = head.network as Network;
    // The operator took the network away, or it is another chain now: `castellan doctor` tells.
    if (!networks.configured.includes(network) || networks.chainId(network) !== head.chainId) return;
    const client = networks.client(network);
    const standing = await settle(parts, client, rows);
    await replaceDisplaced(client, standing);
    const waiting = standing.open.filter(({ nonce }) => nonce >= standing.count);
    const attempts = await selectAttempts(
      db,
      waiting.map(({ id }) => id),
    );
    await handInAgain(client, waiting, attempts);
    await closeGaps(client, standing);
    await raisePrices(client, waiting, attempts, standing.count);
  };

  /** What is not open any more needs no memory. */
  const forget = (rows: readonly OpenTransaction[]): void => {
    const open = new Set(rows.flatMap((row) => [row.id, gapOf(row)]));
    for (const what of oddSince.keys()) if (!open.has(what)) oddSince.delete(what);
    for (const [hash, { id }] of handedIn) if (!open.has(id)) handedIn.delete(hash);
  };

  const round = async (): Promise<void> => {
    const rows = await selectOpenTransactions(db);
    forget(rows);
    // When the service stops, calls to chains are cut off.
    const fault = (error: unknown): void => void (rounds.isStopping || failed(error));
    await Promise.all(grouped(rows).map((group) => follow(group).catch(fault)));
  };
  const rounds = createRounds({
    everyMs: patience.every,
    // A little less than the interval: ticks of a timer are not exact, and each second one would be too early.
    round: async () => {
      await runDue(db, 'follow-transactions', patience.every * 0.9, round);
    },
    failed,
  });
  return { start: rounds.start, round, stop: rounds.stop };
};
