import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { BEGIN, END } from './table.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string): string => readFileSync(`${ROOT}${name}`, 'utf8');

const PROGRAMS = 'test/compatibility/programs/';
const PROJECT = '';

/** @returns the exact version that is declared and installed, in the first of the folders that declares one */
const versionOf = (program: string, folders: readonly string[]): string => {
  for (const folder of folders) {
    const { dependencies, devDependencies } = JSON.parse(read(`${folder}package.json`));
    const declared = { ...dependencies, ...devDependencies }[program];
    if (declared === undefined) continue;
    const { version } = JSON.parse(read(`${folder}node_modules/${program}/package.json`));
    expect([program, version]).toEqual([program, declared]);
    return version;
  }
  throw new Error(`${program} is in no package.json`);
};

/**
 * Holds the row of a program in the table of docs/compatibility.md, which is the output of these runs: `npm run
 * compatibility` writes what they give, and otherwise a run that gives something else fails.
 * @param calls what the program did, and whether that was answered as it must be
 * @param options `summary` is what the row says instead of the names of the calls, where they are too many;
 *   `isOfProject`: the program is the project's own dependency, of which the programs may have another version
 */
export const recordRun = (
  program: string,
  calls: Readonly<Record<string, boolean>>,
  { summary, isOfProject = false }: { readonly summary?: string; readonly isOfProject?: boolean } = {},
): void => {
  const file = relative(ROOT, expect.getState().testPath as string);
  const names = Object.keys(calls);
  const answered = Object.values(calls).filter(Boolean).length;
  const result = answered === names.length ? 'all answered' : `${answered} of ${names.length} answered`;
  const version = versionOf(program, isOfProject ? [PROJECT] : [PROGRAMS, PROJECT]);
  const row = `| \`${program}\` | ${version} | ${summary ?? names.join(', ')} | ${result} | \`${file}\` |`;
  const output = process.env.CASTELLAN_TEST_COMPATIBILITY_ROWS;
  if (output !== undefined) appendFileSync(output, `${row}\n`);
  else expect(read('docs/compatibility.md').split(BEGIN)[1]?.split(END)[0]?.split('\n')).toContain(row);
};
