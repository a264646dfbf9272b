import { setTimeout as wait } from 'node:timers/promises';
import type { Gauge } from 'prom-client';

/** Scrapes and probes of a loaded service should be answered within 100 ms. */
const MAX_WAIT_MS = 50;

/**
 * Shares one query among calls at the same time, and never waits long for it, so that a busy database delays no other
 * metric: a query that is not finished in time counts for the next call.
 * @returns a function that resolves to the last result; undefined before the first one and after a query that failed
 */
export const queryForMetrics = <T>(load: () => Promise<T>): (() => Promise<T | undefined>) => {
  let running: Promise<void> | undefined;
  let last: T | undefined;
  return async () => {
    running ??= load()
      .then(
        (result) => {
          last = result;
        },
        () => {
          last = undefined;
        },
      )
      .finally(() => {
        running = undefined;
      });
    await Promise.race([running, wait(MAX_WAIT_MS, undefined, { ref: false })]);
    return last;
  };
};

/** Sets a gauge without labels. While its value is unknown it has none: a gauge starts with 0, which says "all is well". */
export const setIfKnown = (gauge: Gauge, value: number | undefined): void => {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
};
