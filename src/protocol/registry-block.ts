/**
 * OP Mainnet, where accounts, keys and storage are registered, makes a block every two seconds since its first block of
 * today's form (Bedrock).
 */
const FIRST = { block: 105_235_063, seconds: 1_686_068_903 };
const BLOCK_SECONDS = 2;

/** @returns the number of the registries' block at a time in Unix seconds */
export const registryBlockAt = (seconds: number): number =>
  FIRST.block + Math.max(0, Math.floor((seconds - FIRST.seconds) / BLOCK_SECONDS));

/** @returns how many milliseconds before `ms` (Unix) the registries' block of that time began, below 2000 */
export const msIntoBlock = (ms: number): number => (ms - FIRST.seconds * 1000) % (BLOCK_SECONDS * 1000);
