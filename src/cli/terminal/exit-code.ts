import { setTimeout as wait } from 'node:timers/promises';
import { endVerifyThreads } from '../../protocol/verify/worker-start.js';

/** Milliseconds for threads to end, so that a stuck one does not keep the process alive. */
const THREAD_LIMIT = 1_000;

/** Ends the process after its threads, because native code in them must not be interrupted. */
export const exitNow = async (code: number): Promise<never> => {
  await Promise.race([endVerifyThreads(), wait(THREAD_LIMIT)]);
  process.exit(code);
};
