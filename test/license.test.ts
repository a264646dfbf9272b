import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-license-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** @returns what the check says of this package's lock file with other packages in it */
const check = async (more: Record<string, object>): Promise<{ status: number | null; said: string }> => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const file = join(folder, 'package-lock.json');
  await writeFile(file, JSON.stringify({ ...lock, packages: { ...lock.packages, ...more } }));
  const script = join(root, 'scripts/license.ts');
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, file], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, said: stderr };
};

test('the packages of an installation have free licences', async () => {
  expect(await check({})).toEqual({ status: 0, said: '' });
});

test('another licence is found wherever it is, unless tools alone use it or there is a choice', async () => {
  const { status, said } = await check({
    'node_modules/copyleft': { license: 'GPL-3.0-or-later' },
    'node_modules/a/node_modules/@deep/one': { license: 'AGPL-3.0-only', optional: true },
    'node_modules/both': { license: '(MIT AND GPL-2.0-only)' },
    'node_modules/silent': {},
    'node_modules/tool': { license: 'GPL-3.0-or-later', dev: true },
    'node_modules/choice': { license: '(GPL-2.0-only OR MIT)' },
  });
  expect(status).toBe(1);
  expect(said.split('\n').slice(0, 4)).toEqual([
    'copyleft is under GPL-3.0-or-later',
    '@deep/one is under AGPL-3.0-only',
    'both is under (MIT AND GPL-2.0-only)',
    'silent names no licence',
  ]);
  expect(said).not.toMatch(/tool|choice/);
});
