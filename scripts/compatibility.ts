/**
 * Writes the table of docs/compatibility.md: runs the tests of the programs, which fail with another table, and takes
 * what they give. `npm ci --prefix test/compatibility/programs` installs what they need; one copies messages into a
 * PostgreSQL server, TEST_DATABASE_URL, by way of Redis.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requirePrograms } from '../test/compatibility/programs.js';
import { withRows } from '../test/compatibility/table.js';

const PAGE = new URL('../docs/compatibility.md', import.meta.url);
const FOLDER = 'test/compatibility';
/** The test of the page itself needs the table. */
const TESTS = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts') && name !== 'document.test.ts');
/** Tests of other subjects that run a program, too. */
const ELSEWHERE = ['test/pay-page.test.ts', 'test/quick-auth.test.ts', 'test/mcp.test.ts'];

requirePrograms();
if (process.env.TEST_DATABASE_URL === undefined)
  throw new Error('Set TEST_DATABASE_URL: without it a program is left out.');
const folder = mkdtempSync(join(tmpdir(), 'castellan-compatibility-'));
const rows = join(folder, 'rows');
const { status } = spawnSync('npx', ['vitest', 'run', ...TESTS.map((name) => join(FOLDER, name)), ...ELSEWHERE], {
  stdio: 'inherit',
  env: { ...process.env, CASTELLAN_TEST_COMPATIBILITY_ROWS: rows },
});
if (status === 0) {
  const found = readFileSync(rows, 'utf8').trimEnd().split('\n').sort();
  writeFileSync(PAGE, withRows(readFileSync(PAGE, 'utf8'), found));
} else process.exitCode = 1;
rmSync(folder, { recursive: true });
