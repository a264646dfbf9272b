import { exitNow } from '../exit.js';

/** Milliseconds in which a further signal is the same one: npm passes on what the terminal has already sent. */
const ECHO = 1_000;

/**
 * Calls `stop` at the first SIGINT or SIGTERM; a later one ends the process at once.
 *
 * @returns a function that takes the handlers off again.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): () => void {
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
}
