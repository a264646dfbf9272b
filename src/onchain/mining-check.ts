/**
 * Anvil 1.7.1 leaves transactions in its pool when it is read while it mines many (seen with 200 of one account in two
 * of five runs). So the local chain is read when no block came since the last look, or after this many looks.
 */
const MAX_POSTPONED = 10;

/** @returns a function that takes the newest block, and returns whether the chain is mining, and its reader can wait */
export const createMiningCheck = (): ((latest: bigint) => boolean) => {
  let seen = -1n;
  let postponed = 0;
  return (latest) => {
    postponed = latest !== seen && postponed < MAX_POSTPONED ? postponed + 1 : 0;
    seen = latest;
    return postponed > 0;
  };
};
