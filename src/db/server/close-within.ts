import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until connections are closed, for a limited time: a pool waits for each connection that it gave out, for ever. The
 * process ends without those that remain.
 */
export const closeWithin = async (ms: number, closed: Promise<unknown>): Promise<void> => {
  await Promise.race([closed, wait(ms, undefined, { ref: false })]);
};
