import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OTHER_NAMES } from '../../src/api/other-name/other-name.js';
import { BEGIN, END } from './table.js';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const page = read('docs/compatibility.md');
const cellsOf = (text: string): readonly string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

test('each program of the table is in the run that its row names, and is held there', () => {
  const programs = cellsOf(page.split(BEGIN)[1]?.split(END)[0] ?? '');
  expect(programs.length).toBeGreaterThan(9);
  for (const [, program, , , , file = ''] of programs) expect(read(file)).toContain(`recordRun('${program}'`);
});

test('each other name of an operation stands on the page', () => {
  const listed = cellsOf(page)
    .filter((cells) => cells.length === 5)
    .flatMap(([, names = '']) => names.split(', '));
  for (const { method, path } of OTHER_NAMES)
    expect(
      listed.some((name) => name.split('?', 1)[0] === `${method} ${path}`),
      path,
    ).toBe(true);
});
