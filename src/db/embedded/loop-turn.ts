import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../message-batch.js';

/** Milliseconds of statements in a row after which everything else in this process has its turn. */
const IN_A_ROW_MS = 10;

/**
 * Lets the event loop have its turns between statements. The engine works in this thread, and a request that gets its
 * answer may send the next statement at once, as may the request that takes its place: without a break, no connection
 * would be read and no timer run while requests wait.
 */
export const leaveTurns = (engine: Engine): Engine => {
  let turnedAt = performance.now();
  return {
    waitReady: engine.waitReady,
    execProtocolStream: async (message, options) => {
      if (performance.now() - turnedAt > IN_A_ROW_MS) {
        await setImmediate();
        turnedAt = performance.now();
      }
      return engine.execProtocolStream(message, options);
    },
  };
};
