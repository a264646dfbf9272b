import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openEmbedded } from './embedded.js';

const CHILD = fileURLToPath(new URL('../../../test/support/embedded-stop-child.ts', import.meta.url));

test('an engine that ends in a statement is an error, not the end of the process, and loses nothing', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'castellan-guard-'));
  // Runs in a separate process, which without the guard would loop forever and must be killed.
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', CHILD, dataDir], {
    timeout: 90_000,
    killSignal: 'SIGKILL',
  });
  const results = JSON.parse(stdout) as string[];
  for (const result of results) expect(result).toMatch(/^57P02 The embedded database stopped/);
  expect(results).toHaveLength(2);
  const db = await openEmbedded({ dataDir });
  expect(await db.run('select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  await db.close();
  await rm(dataDir, { recursive: true });
}, 120_000);
