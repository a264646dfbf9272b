import { resolve } from 'node:path';
import { AppError } from '../../error.js';
import { VERSION } from '../../version.js';
import { defineCommand } from '../terminal/command.js';

const MEGABYTE = 1024 * 1024;

export const backupCommand = defineCommand({
  name: 'backup',
  store: 'inspect',
  summary: 'Write a copy of the embedded database, with everything in it, to a file that `restore` reads',
  examples: [
    ['castellan backup castellan.backup', 'write a backup, also while the service runs'],
    ['castellan backup /mnt/backups/monday.backup --json', 'write one elsewhere, and print its size as JSON'],
  ],
  configure: (command) => command.argument('<file>', 'a new file; it is compressed, and only its owner can read it'),
  input: ({ args, cwd }) => ({ file: resolve(cwd, args[0] as string) }),
  run: async ({ openDatabase, signal }, { file }, output) => {
    const { writeBackup } = await import('../../db/backup/write.js');
    const db = await openDatabase();
    const progress = (bytes: number): void => output.progress(Math.ceil(bytes / MEGABYTE), undefined, 'MB');
    const report = await writeBackup(db, file, { version: VERSION, now: new Date(), progress, signal });
    const { files, bytes, at } = report;
    output.note('The master key and the files of the configuration are not in it: keep copies of them elsewhere.');
    output.result({ file, at, files, bytes }, [
      `${file} has ${files.toLocaleString('en-US')} files with ${Math.ceil(bytes / MEGABYTE).toLocaleString('en-US')} MB.`,
    ]);
  },
});

export const restoreCommand = defineCommand({
  name: 'restore',
  store: 'create',
  isAlone: true,
  summary: 'Make the embedded database from a file of `backup`, while no service runs',
  examples: [
    ['castellan restore castellan.backup', 'make the database in an empty data folder'],
    [
      'castellan restore castellan.backup --replace',
      'put it in the place of the present one, which is kept under another name',
    ],
  ],
  configure: (command) =>
    command
      .argument('<file>', 'the backup')
      .option('--replace', 'if there is a database: keep it under another name, and put this one in its place'),
  input: ({ args, options, cwd }) => ({
    file: resolve(cwd, args[0] as string),
    mayReplace: options.replace === true,
  }),
  run: async ({ config: { database }, isRemote, signal }, { file, mayReplace }, output) => {
    if ('url' in database) {
      const message =
        'DATABASE_URL names a PostgreSQL server: restore it with pg_restore (docs/operating.md, "Backup").';
      throw new AppError('conflict', 'NotEmbedded', message);
    }
    if (isRemote) {
      const message = `A service or another command uses ${database.dataDir}: stop it first, then restore.`;
      throw new AppError('conflict', 'FolderHeld', message);
    }
    const { restoreBackup } = await import('../../db/backup/restore.js');
    const progress = (bytes: number): void => output.progress(Math.ceil(bytes / MEGABYTE), undefined, 'MB');
    const { header, replaced } = await restoreBackup(file, database.dataDir, {
      mayReplace,
      now: new Date(),
      progress,
      signal,
    });
    if (replaced !== undefined)
      output.note(`What was there before is in ${replaced}: delete it when you need it no more.`);
    output.result({ file, at: header.at, folder: database.dataDir, replaced: replaced ?? null }, [
      `The database in ${database.dataDir} is that of the backup that began at ${header.at}.`,
    ]);
  },
});
