import { mkdir } from 'node:fs/promises';
import type { StoreConfig } from '../config/config.js';
import { embeddedFolder } from './data-folder.js';
import type { Database } from './database.js';
import { openEmbedded } from './embedded/embedded.js';
import { explainEngine } from './folder-error.js';
import { openPostgres } from './postgres.js';

/**
 * Opens the database of the configuration; an embedded one is created if it does not exist. The caller must have locked
 * it (`src/db/lock.ts`). Does not migrate.
 */
export const openDatabase = async (config: StoreConfig): Promise<Database> => {
  if ('url' in config.database) {
    return openPostgres({ url: config.database.url.reveal(), ...config.databaseConnections });
  }
  const dataDir = embeddedFolder(config.database.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    return await openEmbedded({ dataDir });
  } catch (error) {
    throw explainEngine(dataDir, error);
  }
};
