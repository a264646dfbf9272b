import { access, link, rename } from 'node:fs/promises';
import { AppError } from '../../error.js';
import { isSystemError } from './system-error.js';

const exists = (file: string): AppError =>
  new AppError('conflict', 'FileExists', `${file} exists already: give the backup another name.`);

/** @throws AppError if there is such a file */
export const requireAbsent = async (file: string): Promise<void> => {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw exists(file);
};

/** File systems that have no hard links, such as exFAT and some that are reached over a network, answer with one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Gives a file its name, and replaces no other; without hard links, one that appears just before the rename is. */
export const giveName = async (partial: string, file: string): Promise<void> => {
  try {
    // Unlike a rename, this replaces nothing.
    await link(partial, file);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await requireAbsent(file);
    await rename(partial, file);
  }
};

/** @returns what the work on the file resolves to. @throws AppError if the file exists or cannot be written */
export const explained = async <T>(file: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'EEXIST') throw exists(file);
    const message = `${file} could not be written: ${error.message}.`;
    throw new AppError('conflict', 'FileNotWritten', message, { cause: error });
  }
};
