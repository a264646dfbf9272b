import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';
import { until } from './support/hub-fixture.js';
import { parquetFiles } from './support/parquet.js';

const workspace = new TestWorkspace();
beforeAll(() => buildProgram());
afterAll(() => workspace.clear());

const contents = async (folder: string): Promise<Record<string, string>> => {
  const files: Record<string, string> = {};
  for (const name of await parquetFiles(folder)) files[name] = (await readFile(join(folder, name))).toString('base64');
  return files;
};

test('an export that was killed again and again is in the end as one that was not', async () => {
  const store = await workspace.migratedStore();
  const sample = await workspace.writeSample('sample.ndjson', {
    accounts: 12,
    casts: 200,
    reactions: 300,
    follows: 60,
  });
  expect((await castellan(['import', sample.file], store)).code).toBe(0);
  const whole = join(workspace.folder, 'whole');
  const undisturbed = await castellan(['export', whole, '--format', 'parquet', '--json'], store);
  expect(undisturbed.code, undisturbed.err).toBe(0);
  const expected = await contents(whole);
  const total = Object.keys(expected).length;
  expect(total).toBeGreaterThan(30);

  const folder = join(workspace.folder, 'killed');
  const args = ['export', folder, '--format', 'parquet'];
  for (const share of [0.02, 0.3, 0.6, 0.9]) {
    const run = workspace.start(args, store);
    await until(async () => {
      const files = await readdir(folder, { recursive: true }).catch(() => []);
      expect(files.filter((name) => name.endsWith('.parquet')).length).toBeGreaterThan(total * share);
    }, 30_000);
    run.child.kill('SIGKILL');
    expect((await run.ended).code).toBeNull();
    // What is there is whole.
    for (const [name, bytes] of Object.entries(await contents(folder)))
      expect(bytes === expected[name], name).toBe(true);
  }
  const last = await castellan([...args, '--json'], store);
  expect(last.code, last.err).toBe(0);
  expect(await contents(folder)).toEqual(expected);
  const kept = (JSON.parse(last.out) as { tables: { kept: number }[] }).tables.reduce((sum, one) => sum + one.kept, 0);
  expect(kept).toBeGreaterThan(total * 0.5);
}, 180_000);
