import { UsageError } from './command.js';

const MAX_FID = 2_147_483_647;

/** @returns the account that `--fid` names. @throws UsageError when it names none. */
export const readFidOption = (text: unknown): number => {
  const fid = Number(text);
  if (!/^\d{1,10}$/.test(String(text)) || fid < 1 || fid > MAX_FID) {
    throw new UsageError('--fid takes the number of an account, like --fid 3.');
  }
  return fid;
};
