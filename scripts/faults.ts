/**
 * Brings faults over a service under load, one after the other, and writes what its clients saw into docs/reliability.md. Needs
 * PostgreSQL's programs, for some of them root, Redis or NATS, and a machine that has nothing else to do: all take about
 * an hour on two cores.
 *
 *   npm run faults                                all of them
 *   npm run faults -- primary-killed restart      those whose file names contain this
 *   npm run faults -- --times 3 restart           so many times each
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { FaultRow } from '../fault/provoke.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGE = `${ROOT}docs/reliability.md`;
const [BEGIN, END] = ['<!-- faults: begin -->', '<!-- faults: end -->'];
const HEAD = [
  '| Fault | Times | Requests | Not answered | Longest without a read | Longest without a write | Whole again after | Run |',
  '|---|--:|--:|---|--:|--:|--:|---|',
];

const { values, positionals } = parseArgs({ options: { times: { type: 'string' } }, allowPositionals: true });

const seconds = (value: number): string => `${value.toFixed(1)} s`;

/** @returns `12 × 503`, and what broke in the middle */
const failures = (failed: FaultRow['failed']): string =>
  Object.entries(failed)
    .map(([status, count]) => `${count} × ${status === '0' ? 'broken connection' : status}`)
    .join(', ') || 'none';

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
const run = `${new Date().toISOString().slice(0, 10)}, ${commit}`;
const lineOf = ({ title, times, requests, failed, withoutRead, withoutWrite, recovered }: FaultRow): string =>
  `| ${[title, times, requests.toLocaleString('en-US'), failures(failed), seconds(withoutRead), seconds(withoutWrite), seconds(recovered), run].join(' | ')} |`;

const folder = mkdtempSync(join(tmpdir(), 'castellan-faults-'));
const rowFile = join(folder, 'rows');
writeFileSync(rowFile, '');
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'vitest.fault.config.ts', ...positionals], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, CASTELLAN_FAULT_ROWS: rowFile, CASTELLAN_FAULT_TIMES: values.times ?? '' },
});
const rows = readFileSync(rowFile, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as FaultRow);
rmSync(folder, { recursive: true });

const page = readFileSync(PAGE, 'utf8');
const [before = '', rest = ''] = page.split(`${BEGIN}\n`);
const [table = '', after = ''] = rest.split(END);
const lines = new Map(
  table
    .split('\n')
    .slice(HEAD.length)
    .filter((line) => line.startsWith('|'))
    .map((line) => [line.split(' | ')[0]?.slice(2), line]),
);
for (const row of rows) lines.set(row.title, lineOf(row));
// Those of earlier runs stay, unless there is no such fault any more.
const sources = readdirSync(`${ROOT}fault`).map((name) => readFileSync(`${ROOT}fault/${name}`, 'utf8'));
const isThere = (title: string): boolean => sources.some((text) => text.includes(title));
for (const title of lines.keys()) if (title !== undefined && !isThere(title)) lines.delete(title);
const sorted = [...lines].sort(([one = ''], [other = '']) => (one < other ? -1 : 1)).map(([, line]) => line);
writeFileSync(PAGE, `${before}${BEGIN}\n${[...HEAD, ...sorted].join('\n')}\n${END}${after}`);
console.log([...HEAD, ...rows.map(lineOf)].join('\n'));
process.exitCode = status ?? 1;
