import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../error.js';
import { embeddedFolder, hasEmbeddedDatabase, lastReplacedFolder, replacedFolder } from '../data-folder.js';
import { openEmbedded } from '../embedded/embedded.js';
import { explainEngine } from '../folder-error.js';
import { selectSchemaState } from '../schema-state.js';
import type { BackupHeader } from './format.js';
import { unpackBackup } from './read.js';

/** What a restore has done. */
export interface RestoreReport {
  readonly header: BackupHeader;
  /** The folder with what was there before, also before an earlier restore that was interrupted; undefined: nothing was. */
  readonly replaced: string | undefined;
}

/**
 * Opens the unpacked database, which replays its write-ahead log.
 * @throws AppError if it does not open, or is of a newer version
 */
const requireUsable = async (folder: string, { castellan, postgres }: BackupHeader): Promise<void> => {
  const db = await openEmbedded({ dataDir: folder }).catch((error: unknown) => {
    const message = `The database of the backup (version ${castellan}, PostgreSQL ${postgres}) does not open with this version: ${(explainEngine(folder, error) as Error).message}`;
    throw new AppError('conflict', 'BackupNotOpened', message, { cause: error });
  });
  try {
    const state = await selectSchemaState(db);
    if (state.kind !== 'newer') return;
    const message = `The backup is of version ${castellan}, which is newer than this one: it has ${state.unknown.join(', ')}. Restore it with that version.`;
    throw new AppError('conflict', 'BackupOfOtherVersion', message);
  } finally {
    await db.close();
  }
};

const isEmpty = async (folder: string): Promise<boolean> => {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
};

/**
 * Puts a folder into the place of another one, which gets a new name. If the second step fails, the first is undone.
 * @throws AppError that says where both are if that fails, too; else the error of the step
 */
const exchange = async (draft: string, target: string, replaced: string): Promise<void> => {
  await rename(target, replaced);
  try {
    await rename(draft, target);
  } catch (error) {
    await rename(replaced, target).catch((second: unknown) => {
      const message = `${target} could not be replaced (${(error as Error).message}), nor what was there put back (${(second as Error).message}): it is ${replaced}. Rename that to ${target}.`;
      throw new AppError('conflict', 'RestoreHalfDone', message, { cause: error });
    });
    throw error;
  }
};

/**
 * Makes the embedded database of a data folder from a backup. Nothing changes before the restored database has been opened.
 * The caller must hold the lock of the folder, and must not have opened the database.
 * @param file absolute path of the backup
 * @param options `mayReplace` lets a present database get another name, as a folder that is no database always does; `progress` is called with the bytes that were written
 * @throws AppError if there is a database that must not be replaced, or the backup is missing, damaged or of a newer version,
 *   or the folder cannot be written
 */
export const restoreBackup = async (
  file: string,
  dataDir: string,
  options: {
    readonly mayReplace: boolean;
    readonly now: Date;
    readonly progress: (bytes: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<RestoreReport> => {
  if (hasEmbeddedDatabase(dataDir) && !options.mayReplace) {
    const message = `${dataDir} has a database: restore into another folder (CASTELLAN_DATA_DIR), or with --replace, which keeps it under another name.`;
    throw new AppError('conflict', 'DatabaseExists', message);
  }
  const target = embeddedFolder(dataDir);
  const draft = `${target}.restoring-${randomBytes(4).toString('hex')}`;
  try {
    const header = await unpackBackup(file, draft, options);
    await requireUsable(draft, header);
    await rm(join(draft, 'backup_label.old'), { force: true });
    options.signal.throwIfAborted();
    if (await isEmpty(target)) {
      // Which replaces an empty folder.
      await rename(draft, target);
      return { header, replaced: lastReplacedFolder(dataDir) };
    }
    const replaced = replacedFolder(dataDir, options.now);
    await exchange(draft, target, replaced);
    return { header, replaced };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
};
