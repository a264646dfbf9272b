import { setTimeout as wait } from 'node:timers/promises';
import { type OpenTransaction, selectOpenTransactions } from '../../store/onchain/transaction.js';
import type { Network } from '../network.js';
import type { Receipt } from './call.js';
import { confirmTransactions } from './confirmation.js';
import type { ChainDependencies } from './dependencies.js';

const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 1000;
const PAUSE_GROWTH = 1.5;

type Place = Pick<OpenTransaction, 'walletId' | 'chainId' | 'network'>;

interface Waiter {
  readonly id: string;
  readonly done: (receipt: Receipt | undefined) => void;
}

/** Waits for receipts on behalf of requests. All requests for one wallet and chain share the polls. */
export const createReceiptWatch = (deps: ChainDependencies) => {
  const { db, networks } = deps;
  const groups = new Map<string, Set<Waiter>>();
  const stopping = new AbortController();

  /**
   * Polls once and ends the waits for transactions that are no longer open.
   * @param waiters those registered before the rows are read: a later one's row may be missing from them
   */
  const look = async (place: Place, waiters: readonly Waiter[]): Promise<void> => {
    const rows = await selectOpenTransactions(db, place);
    const { receipts, open } = await confirmTransactions(deps, networks.client(place.network as Network), rows);
    const left = new Set(open.map(({ id }) => id));
    for (const waiter of waiters) if (!left.has(waiter.id)) waiter.done(receipts.get(waiter.id));
  };

  const watch = async (key: string, place: Place, waiters: ReadonlySet<Waiter>): Promise<void> => {
    let pause = FIRST_PAUSE_MS;
    while (waiters.size > 0 && !stopping.signal.aborted) {
      // An error of the chain or the database is not final: the next poll may succeed, and each waiter has its timeout.
      await look(place, [...waiters]).catch(() => undefined);
      if (waiters.size === 0) break;
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      pause = Math.min(pause * PAUSE_GROWTH, MAX_PAUSE_MS);
    }
    // There is no await between the last check of `waiters` and this line, so a later waiter starts a new watch.
    groups.delete(key);
    for (const waiter of waiters) waiter.done(undefined);
  };

  return {
    /** Polls once for all open transactions of the wallet on the chain. */
    look: (row: Place): Promise<void> => look(row, []),
    /**
     * @returns the receipt if this process found it; undefined if the transaction ended in another way, or not in time
     */
    wait: (row: Place & Pick<OpenTransaction, 'id'>, timeoutMs: number): Promise<Receipt | undefined> =>
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
    /** Ends all waits. */
    stop: (): void => stopping.abort(),
  };
};
