import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openEmbedded } from './embedded.js';

const CHILD = fileURLToPath(new URL('../../../test/support/embedded-child.ts', import.meta.url));

/** `bench/RESULTS.md` has the result for a gigabyte; checkpoints, not this size, bound what a restart replays. */
const MEGABYTES = 200;

test('after a bulk load and kill -9 it opens within 3 s with everything that was acknowledged', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'castellan-embedded-'));
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDir, String(MEGABYTES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acknowledged = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'done') break;
    acknowledged = Number(line);
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  // CPU time of this process, in which the engine runs, so that other programs do not affect the result.
  const began = process.cpuUsage();
  const db = await openEmbedded({ dataDir });
  const [row] = await db.run<{ low: number; high: number; n: number }>(
    'select min(round) as low, max(round) as high, count(*) as n from load',
  );
  const { user, system } = process.cpuUsage(began);
  const seconds = (user + system) / 1e6;
  await db.close();
  await rm(dataDir, { recursive: true });
  expect(row).toEqual({ low: acknowledged, high: acknowledged, n: 20_000 });
  expect(acknowledged).toBeGreaterThan(2);
  expect(seconds).toBeLessThan(6);
}, 180_000);
