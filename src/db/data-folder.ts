import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** @returns the folder of the embedded database; the data folder that contains it also has keys and sockets */
export const embeddedFolder = (dataDir: string): string => join(dataDir, 'database');

/** Whether the data folder has an embedded database. Opening one would create it. */
export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  existsSync(join(embeddedFolder(dataDir), 'PG_VERSION'));
