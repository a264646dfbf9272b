import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the file `filler` into a file system until it is full. @throws the system's error if it is another one */
export const fillDisk = (folder: string): void => {
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeFileSync(join(folder, 'filler'), block, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
};
