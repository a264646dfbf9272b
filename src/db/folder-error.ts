import { statfsSync } from 'node:fs';
import { AppError } from '../error.js';

/** Codes of the system for a folder that cannot be used, in words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota of this user is used up',
};

/** Bytes that a new embedded database needs. */
const NEEDED_BYTES = 64 * 1024 * 1024;

const unusable = (folder: string, why: string, cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'DataFolderUnusable',
    `The data folder ${folder} cannot be used: ${why}. Change that, or set CASTELLAN_DATA_DIR to another folder.`,
    { cause },
  );

/** @returns an error in words for a failure of the file system in the data folder; any other error unchanged */
export const explainFolder = (folder: string, error: unknown): unknown => {
  const why = REASONS[(error as NodeJS.ErrnoException | undefined)?.code ?? ''];
  return why === undefined ? error : unusable(folder, why, error);
};

/** @returns an error in words for an engine that could not open its folder: it throws objects that are no errors */
export const explainEngine = (folder: string, error: unknown): unknown => {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < NEEDED_BYTES) return unusable(folder, 'its disk has less than 64 MB free', error);
  if (error instanceof Error) return error;
  return unusable(folder, `the database there cannot be opened (${JSON.stringify(error)})`, error);
};
