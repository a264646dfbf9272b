import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../../db/failure.js';
import { isHubUnavailable } from './client.js';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 30_000;

/** @returns milliseconds to wait after this many failures in a row: doubling, with jitter */
export const backoff = (failures: number, first = FIRST_PAUSE): number =>
  Math.min(LONGEST_PAUSE, first * 2 ** Math.min(failures, 16)) * (0.5 + Math.random() / 2);

/** @returns false if the signal aborted the wait */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<boolean> => {
  try {
    await wait(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
};

/** What a retry needs. */
export interface RetryContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds before the first retry, doubled for each further one; 250 unless given. */
  readonly firstPauseMs?: number | undefined;
}

/** Time of the last log line per logger (Unix milliseconds), so that dozens of waiting calls do not each log. */
const lastLoggedAt = new WeakMap<Logger, number>();
const LOG_INTERVAL_MS = 10_000;

const logThrottled = (log: Logger, error: unknown, message: string): void => {
  const now = Date.now();
  const isDue = now - (lastLoggedAt.get(log) ?? 0) > LOG_INTERVAL_MS;
  if (isDue) lastLoggedAt.set(log, now);
  log[isDue ? 'warn' : 'debug']({ err: error }, message);
};

const until = async <T>(
  call: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  what: string,
  { signal, log, firstPauseMs }: RetryContext,
): Promise<T> => {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error;
      logThrottled(log, error, `${what} does not answer; trying again`);
      if (!(await pause(backoff(failures, firstPauseMs), signal))) throw error;
    }
  }
};

/**
 * Retries a call of the hub until it responds.
 * @throws if the signal is aborted, and at once an error that a retry cannot fix
 */
export const retryHubCall = <T>(call: () => Promise<T>, retry: RetryContext): Promise<T> =>
  until(call, isHubUnavailable, 'the hub', retry);

/** As {@link retryHubCall}, for the database. */
export const retryDatabaseCall = <T>(call: () => Promise<T>, retry: RetryContext): Promise<T> =>
  until(call, isDatabaseUnavailable, 'the database', retry);

/** Runs `work` on all items in order, at most `limit` in parallel. @throws the first error, after all ended */
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
