import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildProgram, castellan, Workplace } from './support/castellan.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const work = new Workplace();
beforeAll(buildProgram);
afterAll(() => work.clear());

/** The lines to paste below a heading of the README. */
const linesBelow = (heading: string): string[] => {
  const [, below = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split(`\n## ${heading}\n`);
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(below) ?? [];
  return block.trim().split('\n');
};

it('the lines of "Write your first cast" write and read a cast', async () => {
  const { file } = await work.writeSample('small.ndjson', { accounts: 12, casts: 30, reactions: 30, follows: 30 });
  const { environment, ...service } = await work.startDev(await work.freshStore());
  await castellan(['import', file], environment);
  // A checkout of its own, whose data folder is that of the service.
  const checkout = join(work.folder, 'checkout');
  mkdirSync(checkout);
  for (const name of ['package.json', 'dist', 'node_modules']) symlinkSync(join(ROOT, name), join(checkout, name));
  symlinkSync(environment.CASTELLAN_DATA_DIR as string, join(checkout, 'data'));
  const lines = linesBelow('Write your first cast');
  expect(lines.length).toBeGreaterThan(3);
  const script = lines.join('\n').replaceAll('127.0.0.1:3000', `127.0.0.1:${environment.PORT}`);
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], {
    cwd: checkout,
    env: { PATH, HOME, ...environment },
  });
  const [approval, ...answers] = stdout.replaceAll('}{', '}\n{').trim().split('\n');
  expect(approval).toMatch(/^Signer [0-9a-f-]{36} is approved for account 1\.$/);
  const [published, feed] = answers.map((answer) => JSON.parse(answer));
  expect(published).toMatchObject({ success: true, cast: { author: { fid: 1 }, text: 'Hello from @harbor 🌊' } });
  expect(feed.casts).toMatchObject([{ hash: published.cast.hash, text: published.cast.text }]);
  expect(feed.casts[0].mentioned_profiles[0].username).toBe('harbor');
  service.child.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});
