import { setTimeout as wait } from 'node:timers/promises';
import { endVerifyThreads } from '../protocol/verify/worker-start.js';

/** Milliseconds that threads get to end; one that is stuck must not keep the process. */
const THREAD_LIMIT = 1_000;

/** Ends the process now, its threads first: native code in them is not torn down under way. */
export const exitNow = async (code: number): Promise<never> => {
  await Promise.race([endVerifyThreads(), wait(THREAD_LIMIT)]);
  process.exit(code);
};
