import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../../store/failure.js';
import { isHubAway } from './client.js';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 30_000;

/** @returns milliseconds to wait after the given number of failures in a row: doubling, and never two callers alike. */
export const backoff = (failures: number): number =>
  Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 16)) * (0.5 + Math.random() / 2);

/** Waits; @returns false when the signal cut it short. */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<boolean> => {
  try {
    await wait(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
};

/** What long work needs to wait out a failure. */
export interface Patience {
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** When whoever waits said so last, Unix milliseconds: dozens of calls wait for one hub. */
const lastSaid = new WeakMap<Logger, number>();
const SAY_AGAIN_AFTER = 10_000;

const complain = (log: Logger, error: unknown, message: string): void => {
  const now = Date.now();
  const isDue = now - (lastSaid.get(log) ?? 0) > SAY_AGAIN_AFTER;
  if (isDue) lastSaid.set(log, now);
  log[isDue ? 'warn' : 'debug']({ err: error }, message);
};

const until = async <T>(
  call: () => Promise<T>,
  isPassing: (error: unknown) => boolean,
  what: string,
  { signal, log }: Patience,
): Promise<T> => {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      complain(log, error, `${what} does not answer; trying again`);
      if (!(await pause(backoff(failures), signal))) throw error;
    }
  }
};

/**
 * Calls the hub until it answers.
 * @throws when the signal is aborted, and at once a failure that another try would not mend.
 */
export const untilHubAnswers = <T>(call: () => Promise<T>, patience: Patience): Promise<T> =>
  until(call, isHubAway, 'the hub', patience);

/** The same for the database. */
export const untilDatabaseAnswers = <T>(call: () => Promise<T>, patience: Patience): Promise<T> =>
  until(call, isDatabaseAway, 'the database', patience);

/** Runs `work` on all items, at most `limit` at a time, in their order. @throws the first failure, after all ended. */
export const inParallel = async <Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const iterator = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && !failure; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure) throw failure.error;
};
