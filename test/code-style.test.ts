import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The rules of biome.json that this project chose for its style: each finds what it is for, and nothing else. */

const root = fileURLToPath(new URL('..', import.meta.url));
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-style-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Diagnostic {
  readonly severity: string;
  readonly location: { readonly start: { readonly line: number } };
}

/** @returns the lines of a file that the linter rejects */
const rejectedLines = async (lines: readonly string[]): Promise<string[]> => {
  const file = join(folder, 'sample.ts');
  await writeFile(file, `${lines.join('\n')}\n`);
  // Rules that need the types or imports of the whole project take seconds, and none of those is tested here.
  const options = ['--skip=types', '--skip=project', '--vcs-enabled=false', '--reporter=json', '--config-path', root];
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', ...options, file], { encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout || `no report: ${stderr}`) as { diagnostics: Diagnostic[] };
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ location }) => lines[location.start.line - 1] ?? '');
};

test('functions are arrows, unless they are generators', async () => {
  const rejected = [
    'function plain() {}',
    'export function exported<T>(value: T): T { return value; }',
    'export async function later(): Promise<void> {}',
    'const outer = () => { function inner() {} return inner; };',
  ];
  const accepted = [
    'export const arrow = async (): Promise<number> => 1;',
    'export function* numbers(): Generator<number> { yield 1; }',
    'export async function* lateNumbers(): AsyncGenerator<number> { yield 1; }',
    'export default function setup(): void { plain(); outer(); }',
  ];
  expect(await rejectedLines([...rejected, ...accepted])).toEqual(rejected);
});

test('private members are named #, not marked as private', async () => {
  const rejected = [
    '  private count = 0;',
    '  private readonly limit = 1;',
    '  private next(): number { return this.count + this.limit; }',
    '  constructor(private readonly name: string, readonly kind: string) {}',
    '  protected last(): string { return this.name; }',
  ];
  const accepted = [
    'export class Sample {',
    '  readonly #size = 1;',
    '  sum(): number { return this.next() + this.#size; }',
  ];
  const [open = '', ...members] = accepted;
  expect(await rejectedLines([open, ...rejected, ...members, '}'])).toEqual(rejected);
});
