import fs, { type PathLike } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadStoreConfig } from '../../config/config.js';
import { embeddedFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { createBaseBackup } from '../embedded/base-backup.js';
import { openEmbedded } from '../embedded/embedded.js';
import { migrate } from '../migrate.js';
import { openDatabase } from '../open-database.js';
import { restoreBackup } from './restore.js';
import { writeBackup } from './write.js';

const options = { version: '0.1.0', now: new Date(), progress: () => undefined, signal: new AbortController().signal };
const { link, rename } = fs.promises;
let folder: string;
let db: Database;
/** A backup of the database, whose table `kept` has one row. */
let whole: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-backup-'));
  db = await openEmbedded({ dataDir: embeddedFolder(folder) });
  await migrate(db);
  await db.script('create schema scratch; create table scratch.kept as select 1 as id');
  whole = join(folder, 'whole.backup');
  await writeBackup(db, whole, options);
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'));
});
/** Calls of the file system that fail, as on other systems. */
const given = (calls: Partial<typeof fs.promises>): void => {
  Object.assign(fs.promises, calls);
  syncBuiltinESMExports();
};
afterEach(() => given({ link, rename }));

const refusal = (code: string, syscall: string) => Object.assign(new Error(`${code}: refused`), { code, syscall });
const restore = (mayReplace: boolean, file = whole) => restoreBackup(file, dataDir, { ...options, mayReplace });
const names = async (): Promise<string[]> => (await readdir(dataDir)).sort();
const open = () => openDatabase(loadStoreConfig({ CASTELLAN_DATA_DIR: dataDir }));
const rowsOf = async (name: string) => {
  const copy = await open();
  try {
    return await copy.run(`select * from scratch.${name}`);
  } finally {
    await copy.close();
  }
};

test('without hard links, a backup gets its name, and replaces no file', async () => {
  given({ link: async () => Promise.reject(refusal('EPERM', 'link')) });
  const file = join(dataDir, 'one.backup');
  await writeBackup(db, file, options);
  expect(await names()).toEqual(['one.backup']);
  await restore(false, file);
  expect(await rowsOf('kept')).toEqual([{ id: 1 }]);

  const other = join(dataDir, 'other.backup');
  given({
    link: async () => {
      await writeFile(other, 'of somebody else');
      throw refusal('ENOTSUP', 'link');
    },
  });
  await expect(writeBackup(db, other, options)).rejects.toThrow('exists already');
  expect(await readFile(other, 'utf8')).toBe('of somebody else');
});

test('an error says whether the file or the database is to blame', async () => {
  const nowhere = join(dataDir, 'nowhere', 'one.backup');
  await expect(writeBackup(db, nowhere, options)).rejects.toMatchObject({ code: 'FileNotWritten' });
  const unread: Database = { ...db, backUp: () => Promise.reject(refusal('EIO', 'read')) };
  await expect(writeBackup(unread, join(dataDir, 'one.backup'), options)).rejects.toMatchObject({
    code: 'DatabaseNotRead',
  });
  expect(await names()).toEqual([]);
  await expect(restore(false, dataDir)).rejects.toMatchObject({ code: 'BackupNotRead' });
  await expect(restore(false, nowhere)).rejects.toMatchObject({ code: 'NoBackup' });
});

test('a database that does not end its backup can be backed up again, and the first error is reported', async () => {
  let isAway = false;
  let kept = 0;
  const backUp = createBaseBackup(
    {
      run: async (sql, params) => {
        if (isAway && String(sql).includes('pg_backup_stop')) throw new Error('stop failed');
        return db.run(sql, params);
      },
    },
    {
      keepLog: () => {
        kept += 1;
        return () => {
          kept -= 1;
        };
      },
    },
    embeddedFolder(folder),
  );
  const copyLog = async (): Promise<void> => undefined;
  const copyData = async (): Promise<void> => {
    isAway = true;
    throw new Error('the disk is full');
  };
  await expect(backUp({ copyData, copyLog })).rejects.toThrow('the disk is full');
  expect(kept).toBe(0);
  isAway = false;
  await db.run('select pg_backup_stop(false)');
  await backUp({ copyData: async () => undefined, copyLog });
});

test('a folder without a database is kept by a restore; an empty one is not', async () => {
  const damaged = embeddedFolder(dataDir);
  await mkdir(join(damaged, 'base'), { recursive: true });
  const { replaced } = await restore(false);
  expect(await readdir(replaced ?? '')).toEqual(['base']);
  expect(await rowsOf('kept')).toEqual([{ id: 1 }]);

  dataDir = await mkdtemp(join(folder, 'data-'));
  await mkdir(embeddedFolder(dataDir));
  expect((await restore(false)).replaced).toBeUndefined();
  expect(await names()).toEqual(['database']);
});

test('a restored database that cannot get its place leaves the present one there', async () => {
  const present = await open();
  await present.script('create schema scratch; create table scratch.present as select 2 as id');
  await present.close();
  let renames = 0;
  const failAt = (...calls: readonly number[]): void => {
    renames = 0;
    given({
      rename: async (from: PathLike, to: PathLike) => {
        renames += 1;
        if (calls.includes(renames)) throw refusal('EIO', 'rename');
        await rename(from, to);
      },
    });
  };
  failAt(2);
  await expect(restore(true)).rejects.toThrow('EIO');
  expect(await names()).toEqual(['database']);
  expect(await rowsOf('present')).toEqual([{ id: 2 }]);

  // As when the process is killed between the two.
  failAt(2, 3);
  await expect(restore(true)).rejects.toThrow(/it is .*database\.replaced-/);
  expect(await names()).toEqual([expect.stringMatching(/^database\.replaced-/)]);
  await expect(open()).rejects.toThrow(/has no database, but .*database\.replaced-/);
  expect(await names()).toHaveLength(1);
  given({ rename });
  expect((await restore(false)).replaced).toContain('database.replaced-');
  expect(await rowsOf('kept')).toEqual([{ id: 1 }]);
});
