import { UsageError } from '../terminal/command.js';

/** @returns the account of `--fid`. @throws UsageError for an invalid one */
export const readFidOption = (text: unknown): number => {
  const fid = Number(text);
  if (!/^\d{1,16}$/.test(String(text)) || fid < 1 || !Number.isSafeInteger(fid)) {
    throw new UsageError('--fid takes the number of an account, like --fid 3.');
  }
  return fid;
};
