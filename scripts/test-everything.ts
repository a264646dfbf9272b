/**
 * Runs all tests in all the ways that they can be run, and writes the result into docs/testing.md. It takes an hour and more
 * on two cores, and needs a PostgreSQL server: TEST_DATABASE_URL, by default postgres://postgres@127.0.0.1:5432/postgres.
 * `npm run test:everything -- 2 5` runs the second and the fifth way only, and leaves the other results as they are.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../docs/testing.md', import.meta.url));
const [BEGIN, END] = ['<!-- everything: begin -->', '<!-- everything: end -->'];

const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const seed = Math.floor(Math.random() * 1_000_000);

interface Step {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Major version of Node.js; that of this process unless given. */
  readonly node?: number;
}

const onServer = { TEST_DATABASE_URL: server };
const thorough = { CASTELLAN_TEST_THOROUGH: '1' };
const long = { CASTELLAN_TEST_TIER: 'long' };

const STEPS: readonly Step[] = [
  {
    name: `embedded database, nothing shared between test files, files in random order (seed ${seed})`,
    environment: { ...thorough, CASTELLAN_TEST_SHARED: '0' },
    args: ['--sequence.shuffle.files', `--sequence.seed=${seed}`],
  },
  { name: 'PostgreSQL, Node.js 26', environment: { ...thorough, ...onServer }, args: [], node: 26 },
  {
    name: 'PostgreSQL, requests to two workers in turn',
    environment: { ...onServer, CASTELLAN_TEST_WORKERS: '2' },
    args: ['test/conformance', 'test/channel-follow', 'test/channel-member', 'write'],
  },
  { name: 'long tests, embedded database', environment: { ...thorough, ...long }, args: [] },
  {
    name: 'long tests, PostgreSQL, Node.js 26',
    environment: { ...thorough, ...long, ...onServer },
    args: [],
    node: 26,
  },
];

interface Result {
  readonly name: string;
  readonly isPassed: boolean;
  readonly summary: string;
  readonly seconds: number;
}

/** @returns what the runner says at its end of tests and files */
const summaryOf = (output: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors
  const plain = output.replaceAll(/\x1b\[[0-9;]*m/g, '');
  const [, files = 'no files'] = /^ *Test Files +(.*)$/m.exec(plain) ?? [];
  const [, tests = 'no tests'] = /^ *Tests +(.*)$/m.exec(plain) ?? [];
  return `${tests.trim()}; files: ${files.trim()}`.replaceAll(' |', ',');
};

const run = ({ name, environment, args, node }: Step): Promise<Result> => {
  const runner = ['node_modules/vitest/vitest.mjs', 'run', ...args];
  const [command, rest] =
    node === undefined ? [process.execPath, runner] : ['npx', ['-y', '-p', `node@${node}`, 'node', ...runner]];
  const { TEST_DATABASE_URL: _, ...inherited } = process.env;
  const began = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, rest, { env: { ...inherited, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.on('close', (code) =>
      resolve({
        name,
        isPassed: code === 0,
        summary: summaryOf(output),
        seconds: Math.round((Date.now() - began) / 1000),
      }),
    );
  });
};

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

const asked = process.argv.slice(2).map(Number);
if (asked.some((number) => !(number >= 1 && number <= STEPS.length)))
  throw new Error(`The ways have the numbers 1 to ${STEPS.length}.`);

const page = readFileSync(PAGE, 'utf8');
const [before, after] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
const HEAD = ['| | Tests | Result | Of these | Time | Commit | Date |', '|---|---|---|---|---|---|---|'];
const rows = STEPS.map(({ name }, index) => {
  const [last = `| ${index + 1} | ${name} | not run | | | | |`] =
    page.match(new RegExp(`^\\| ${index + 1} \\|.*$`, 'm')) ?? [];
  return last;
});
const commit = git('rev-parse', '--short', 'HEAD');
for (const [index, step] of STEPS.entries()) {
  if (asked.length > 0 && !asked.includes(index + 1)) continue;
  console.log(`\n=== ${step.name}`);
  const { name, isPassed, summary, seconds } = await run(step);
  if (!isPassed) process.exitCode = 1;
  const result = isPassed ? 'passed' : '**failed**';
  const day = new Date().toISOString().slice(0, 10);
  rows[index] = `| ${index + 1} | ${name} | ${result} | ${summary} | ${seconds} s | ${commit} | ${day} |`;
  // After each, so that an interrupted run leaves what it found.
  writeFileSync(PAGE, `${before}${BEGIN}\n${[...HEAD, ...rows].join('\n')}\n${after}`);
}
console.log(`\n${[...HEAD, ...rows].join('\n')}`);
