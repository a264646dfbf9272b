import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { delay } from '../test/support/delay.js';
import { fillDisk } from '../test/support/full-disk.js';
import { testFault } from './provoke.js';

const LASTS_MS = 8_000;
/** A file system of its own, small enough to fill: only root can make one. */
const disk = mkdtempSync(join(tmpdir(), 'castellan-disk-'));
beforeAll(() => void execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=777', 'tmpfs', disk]));
afterAll(() => {
  execFileSync('umount', [disk]);
  rmdirSync(disk);
});

testFault({
  title: 'The disk of the database is full for eight seconds',
  times: 5,
  plan: { cluster: { parent: disk, settings: ['max_wal_size=64MB', 'wal_recycle=off'] } },
  provoke: async ({ primary }) => {
    fillDisk(disk);
    await delay(LASTS_MS);
    rmSync(join(disk, 'filler'));
    // PostgreSQL itself may have ended: it stops rather than lose a page of its log.
    await primary.restart('immediate').catch(() => primary.restart('immediate'));
  },
});
