import { setTimeout as wait } from 'node:timers/promises';
import { type OpenTransaction, selectOpenTransactions } from '../../store/chain-transaction.js';
import type { ChainParts } from '../chain-parts.js';
import type { Network } from '../network.js';
import type { Receipt } from './sender.js';
import { settle } from '../settle.js';

const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 1000;
const PAUSE_GROWTH = 1.5;

type Place = Pick<OpenTransaction, 'walletId' | 'chainId' | 'network'>;

/** Waits for transactions of this process's requests: one look for all that wait on a wallet and chain. */
export interface ReceiptWatch {
  /** Looks once for everything that the wallet has on its way on the chain. */
  look(row: Place): Promise<void>;
  /** @returns the receipt where this process found it; undefined when it is over in another way, or not in time. */
  wait(row: Place & Pick<OpenTransaction, 'id'>, timeoutMs: number): Promise<Receipt | undefined>;
  /** Ends all waiting. */
  stop(): void;
}

interface Waiter {
  readonly id: string;
  readonly done: (receipt: Receipt | undefined) => void;
}

export const createReceiptWatch = (parts: ChainParts): ReceiptWatch => {
  const { db, networks } = parts;
  const groups = new Map<string, Set<Waiter>>();
  const stopping = new AbortController();

  /**
   * Looks once, and ends the waiting of those whose transaction is not open any more.
   * @param waiters those that waited before the rows are read: of the row of a later one this look may not know
   */
  const look = async (place: Place, waiters: readonly Waiter[]): Promise<void> => {
    const rows = await selectOpenTransactions(db, place);
    const { receipts, open } = await settle(parts, networks.client(place.network as Network), rows);
    const left = new Set(open.map(({ id }) => id));
    for (const waiter of waiters) if (!left.has(waiter.id)) waiter.done(receipts.get(waiter.id));
  };

  const watch = async (key: string, place: Place, waiters: ReadonlySet<Waiter>): Promise<void> => {
    let pause = FIRST_PAUSE_MS;
    while (waiters.size > 0 && !stopping.signal.aborted) {
      // An error of the chain or the database is not final: the next look may succeed, and each waiter has its timeout.
      await look(place, [...waiters]).catch(() => undefined);
      if (waiters.size === 0) break;
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      pause = Math.min(pause * PAUSE_GROWTH, MAX_PAUSE_MS);
    }
    // Nothing is awaited between the last check of `waiters` and this: a later waiter starts a watch of its own.
    groups.delete(key);
    for (const waiter of waiters) waiter.done(undefined);
  };

  return {
    look: (row) => look(row, []),
    wait: (row, timeoutMs) =>
      new Promise((resolve) => {
        const key = `${row.walletId} ${row.chainId}`;
        const waiters = groups.get(key) ?? new Set();
        const waiter: Waiter = {
          id: row.id,
          done: (receipt) => {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(receipt);
          },
        };
        const timer = setTimeout(() => waiter.done(undefined), timeoutMs);
        waiters.add(waiter);
        if (groups.has(key)) return;
        groups.set(key, waiters);
        void watch(key, row, waiters);
      }),
    stop: () => stopping.abort(),
  };
};
