import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OTHER_NAMES } from '../../src/api/other-name/other-name.js';

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const page = read('docs/compatibility.md');
/** Cells of the rows whose first cell is a package, or a method with a path. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

test('each program of the page is installed in its version, and has its test', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const versions: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };
  const programs = rows.filter((cells) => cells.length === 7);
  expect(programs.length).toBeGreaterThan(5);
  for (const [, program = '', version, , , file = ''] of programs) {
    expect([program, version]).toEqual([program, versions[program]]);
    expect(existsSync(new URL(file, ROOT)), file).toBe(true);
  }
});

test('each other name of an operation stands on the page', () => {
  const listed = rows.filter((cells) => cells.length === 5).flatMap(([, names = '']) => names.split(', '));
  for (const { method, path } of OTHER_NAMES)
    expect(
      listed.some((name) => name.split('?', 1)[0] === `${method} ${path}`),
      path,
    ).toBe(true);
});
