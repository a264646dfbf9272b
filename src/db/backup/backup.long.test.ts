import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { embeddedFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { openEmbedded } from '../embedded/embedded.js';
import { migrate } from '../migrate.js';
import { restoreBackup } from './restore.js';
import { writeBackup } from './write.js';

let folder: string;
let db: Database;
let count = 0;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-backup-'));
  db = await openEmbedded({ dataDir: embeddedFolder(folder) });
  await migrate(db);
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  count += 1;
  file = join(folder, `${count}.backup`);
  await db.script('create schema if not exists scratch; create table scratch.row (id int primary key, text text)');
});
afterEach(() => db.script('drop schema scratch cascade'));

const options = { version: '0.1.0', now: new Date(), progress: () => undefined, signal: new AbortController().signal };
const insert = (target: Database, from: number, rows: number) =>
  target.transaction((session) =>
    session.run(
      `insert into scratch.row select i, repeat(md5(i::text), 30) from generate_series(${from}, ${from + rows - 1}) i`,
    ),
  );

/** Calls `once` after the first bytes were read. */
const afterStart = (once: () => Promise<unknown>) => {
  let work: Promise<unknown> | undefined;
  return {
    progress: (): void => {
      work ??= once();
    },
    done: () => work,
  };
};

const restored = async <T>(use: (restored: Database) => Promise<T>): Promise<T> => {
  const target = join(folder, `restored-${count}`);
  await restoreBackup(file, target, { ...options, mayReplace: false });
  const copy = await openEmbedded({ dataDir: embeddedFolder(target) });
  try {
    return await use(copy);
  } finally {
    await copy.close();
  }
};

test('a backup has what was committed while it was made, whatever the log of writes grew to', async () => {
  await insert(db, 1, 1_000);
  let last = 1_000;
  const meanwhile = afterStart(async () => {
    // Beyond the size at which the log is cut otherwise; the look at it is once a second.
    for (let round = 0; round < 12; round += 1) {
      await insert(db, last + 1, 8_000);
      last += 8_000;
      await db.run('update scratch.row set text = text where id % 7 = 0');
      if (round % 4 === 3) await db.script('vacuum scratch.row');
    }
  });
  const report = await writeBackup(db, file, {
    ...options,
    progress: (bytes) => {
      if (bytes > 1_000_000) meanwhile.progress();
    },
  });
  expect(report.files).toBeGreaterThan(500);
  await meanwhile.done();
  await restored(async (copy) => {
    const [found] = await copy.run<{ rows: number; last: number; whole: number }>(
      `select count(*)::int as rows, max(id) as last, count(*) filter (where text = repeat(md5(id::text), 30))::int as whole
         from scratch.row`,
    );
    // As of one moment: every transaction up to one, and none after it.
    expect(found?.rows).toBe(found?.last);
    expect(found?.whole).toBe(found?.rows);
    expect(((found?.rows ?? 0) - 1_000) % 8_000).toBe(0);
  });
});

test('an interrupted backup leaves nothing, and the next one is complete', async () => {
  await insert(db, 1, 100);
  const interrupted = new AbortController();
  const running = writeBackup(db, file, {
    ...options,
    signal: interrupted.signal,
    progress: () => interrupted.abort(),
  });
  await expect(running).rejects.toThrow('aborted');
  expect((await readdir(folder)).filter((name) => name.includes('backup'))).toEqual([
    ...(count === 1 ? [] : ['1.backup']),
  ]);
  await writeBackup(db, file, options);
  await restored(async (copy) => expect(await copy.run('select from scratch.row')).toHaveLength(100));
});

test('there is one backup at a time', async () => {
  const running = writeBackup(db, file, options);
  await expect(writeBackup(db, `${file}.other`, options)).rejects.toThrow('Another backup is being made');
  await running;
});
