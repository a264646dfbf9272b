import { UsageError } from '../terminal/command.js';

const MOST = 10_000;

/** @returns the number of `--limit`. @throws UsageError for any but 1 to 10,000 */
export const readLimit = (text: unknown): number => {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
  throw new UsageError(`--limit takes a number from 1 to ${MOST}.`);
};
