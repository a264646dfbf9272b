import { exitNow } from './exit-code.js';

/**
 * Milliseconds in which a repeated signal is ignored, because npm forwards signals that the terminal has already sent.
 */
const ECHO = 1_000;

/**
 * Calls `stop` at the first SIGINT or SIGTERM; a later one ends the process at once.
 * @returns a function that removes the handlers
 */
export const onStopSignal = (stop: (signal: NodeJS.Signals) => void): (() => void) => {
  let first = 0;
  const handle = (signal: NodeJS.Signals) => {
    const now = Date.now();
    if (first === 0) {
      first = now;
      stop(signal);
    } else if (now - first > ECHO) {
      void exitNow(signal === 'SIGINT' ? 130 : 143);
    }
  };
  process.on('SIGINT', handle).on('SIGTERM', handle);
  return () => {
    process.off('SIGINT', handle).off('SIGTERM', handle);
  };
};
