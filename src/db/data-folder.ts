import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** @returns the folder of the embedded database; the data folder around it also holds keys and sockets. */
export const embeddedFolder = (dataDir: string): string => join(dataDir, 'database');

/** Whether there is an embedded database in the data folder. Opening one where there is none would make it. */
export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  existsSync(join(embeddedFolder(dataDir), 'PG_VERSION'));
