import { setTimeout as wait } from 'node:timers/promises';

/** Scrapes and probes of a loaded service should be answered within 100 ms. */
const MAX_WAIT_MS = 50;

/**
 * @returns a function that lets calls at the same time share one query; undefined if the query failed or is not
 *   finished in time, so that a busy database delays no other metric
 */
export const queryForMetrics = <T>(load: () => Promise<T>): (() => Promise<T | undefined>) => {
  let running: Promise<T | undefined> | undefined;
  return () => {
    running ??= load()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
    return Promise.race([running, wait(MAX_WAIT_MS, undefined, { ref: false })]);
  };
};
