import { AppError } from '../../error.js';
import type { Session } from '../statement.js';
import type { EmbeddedMaintenance } from './maintenance.js';

/** What copies the folder of a database while it is used. */
export interface BackupCopy {
  /** Copies everything but the write-ahead log, whatever is written meanwhile. */
  copyData(folder: string): Promise<void>;
  /** Copies the write-ahead log afterwards, with which the copy becomes that of one moment. @param label the file `backup_label` of the copy */
  copyLog(folder: string, label: string): Promise<void>;
}

/**
 * Makes a copy with PostgreSQL's own backup (`pg_backup_start`): a copy of files that change meanwhile, and the write-ahead
 * log that repairs it. Statements go on.
 * @param folder of the database
 * @source https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export const createBaseBackup = (
  session: Pick<Session, 'run'>,
  { keepLog }: Pick<EmbeddedMaintenance, 'keepLog'>,
  folder: string,
) => {
  let isRunning = false;
  return async ({ copyData, copyLog }: BackupCopy): Promise<void> => {
    if (isRunning)
      throw new AppError('conflict', 'BackupRuns', 'Another backup is being made: wait until it has ended.');
    isRunning = true;
    // A checkpoint would delete log that the copy needs.
    const release = keepLog();
    let isStarted = false;
    const stop = async (): Promise<string> => {
      // Without waiting for an archive: there is none.
      const [row] = await session.run<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      isStarted = false;
      return (row as { labelfile: string }).labelfile;
    };
    try {
      await session.run("select pg_backup_start('castellan', true)");
      isStarted = true;
      await copyData(folder);
      await copyLog(folder, await stop());
    } catch (error) {
      // It did not end. That this fails, too, says less than the first error.
      if (isStarted) await stop().catch(() => undefined);
      throw error;
    } finally {
      release();
      isRunning = false;
    }
  };
};
