/**
 * Lets time pass where that is what a test is about: a double that answers late, a client that pauses, a load that lasts.
 * For what is going to happen use `expect.poll` instead, which ends as soon as it has happened; for what must not happen,
 * wait for something that happens later. `scripts/fixed-wait.ts` accepts no other wait in tests.
 */
export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until the clock shows a later millisecond, so that what happens now and what happens next differ in time. */
export const nextMillisecond = async (): Promise<void> => {
  for (const now = Date.now(); Date.now() === now; ) await delay(1);
};
