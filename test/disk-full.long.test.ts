import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DatabaseWatch } from '../src/app/readiness.js';
import type { Database } from '../src/db/database.js';
import { migrate } from '../src/db/migrate.js';
import { openPostgres } from '../src/db/postgres.js';
import { createLog } from '../src/log.js';
import { freePort } from './support/castellan.js';
import { fillDisk } from './support/full-disk.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A file system of its own, small enough to fill: only root may make one, and PostgreSQL runs as another user. */
const disk = mkdtempSync(join(tmpdir(), 'castellan-disk-'));
const mounted = (() => {
  if (process.env.TEST_DATABASE_URL === undefined || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=90m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const asPostgres = (command: string) => execFileSync('su', ['postgres', '-s', '/bin/sh', '-c', command]);

let db: Database;
beforeAll(async () => {
  if (!mounted) return;
  mkdirSync(join(disk, 'data'));
  execFileSync('chown', ['-R', 'postgres', disk]);
  const port = await freePort();
  asPostgres(`initdb -D ${disk}/data --wal-segsize=1 -A trust -N`);
  asPostgres(`pg_ctl -D ${disk}/data -o '-p ${port} -k ${disk}' -l ${disk}/log -w start >${disk}/start 2>&1`);
  db = openPostgres({ url: `postgres://postgres@127.0.0.1:${port}/postgres`, poolSize: 2 });
  await migrate(db);
});
afterAll(async () => {
  if (mounted) {
    await db?.close();
    asPostgres(`pg_ctl -D ${disk}/data -m immediate -w stop`);
    execFileSync('umount', [disk]);
  }
  rmdirSync(disk);
});

test.runIf(mounted)(
  'a full disk of the database is told, though nobody writes, and that there is room again',
  async () => {
    const watch = new DatabaseWatch(db, createLog('silent'));
    await watch.start();
    expect(watch.problems).toEqual({});
    fillDisk(disk);
    const problems = () => watch.problems;
    await expect.poll(problems, { timeout: 30_000 }).toEqual({ writes: 'the disk of the database is full' });
    rmSync(join(disk, 'filler'));
    await expect.poll(problems, { timeout: 30_000 }).toEqual({});
    await watch.stop();
  },
);
