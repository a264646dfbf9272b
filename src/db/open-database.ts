import { mkdir } from 'node:fs/promises';
import type { StoreConfig } from '../config/config.js';
import { AppError } from '../error.js';
import { embeddedFolder, hasEmbeddedDatabase, lastReplacedFolder } from './data-folder.js';
import type { Database } from './database.js';
import { openEmbedded } from './embedded/embedded.js';
import { explainEngine } from './folder-error.js';
import { checkPooler } from './pooler-check.js';
import { openPostgres } from './postgres.js';

/** A restore that was killed between its two renames leaves no database: a new one would hide that. */
const requireNoInterruptedRestore = (dataDir: string): void => {
  const replaced = hasEmbeddedDatabase(dataDir) ? undefined : lastReplacedFolder(dataDir);
  if (replaced === undefined) return;
  const message = `${dataDir} has no database, but ${replaced}, which a restore put aside and then, it seems, was interrupted. Run it again, or rename that folder to ${embeddedFolder(dataDir)}. For a new database, move that folder elsewhere.`;
  throw new AppError('conflict', 'RestoreInterrupted', message);
};

/**
 * Opens the database of the configuration; an embedded one is created if it does not exist. The caller must have locked
 * it (`src/db/lock.ts`). Does not migrate.
 * @throws AppError in words if the folder of an embedded one cannot be used, or has only one that a restore replaced; if a
 *   pooler cannot serve, or leads to another server than its direct address
 */
export const openDatabase = async (config: StoreConfig): Promise<Database> => {
  if ('url' in config.database) {
    const url = config.database.url.reveal();
    const directUrl = config.database.directUrl?.reveal();
    if (directUrl !== undefined) await checkPooler(url, directUrl);
    return openPostgres({ url, ...(directUrl && { directUrl }), ...config.databaseConnections });
  }
  requireNoInterruptedRestore(config.database.dataDir);
  const dataDir = embeddedFolder(config.database.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    return await openEmbedded({ dataDir });
  } catch (error) {
    throw explainEngine(dataDir, error);
  }
};
