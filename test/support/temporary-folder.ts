import { accessSync, constants, statfsSync } from 'node:fs';

/** The file system in memory that Linux mounts for shared memory. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * @returns where tests put their databases: in memory where 4 GB of it are free, otherwise in the usual folder. Each
 *   test file copies a database of a thousand small files and deletes it: a second on some disks, a tenth of it in memory.
 */
export const temporaryFolder = (usual: string): string => {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY : usual;
  } catch {
    return usual;
  }
};
