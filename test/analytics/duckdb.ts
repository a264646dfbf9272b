import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** DuckDB is too large for the tools of the project: it has a folder, a package.json and a lock file of its own. */
const FOLDER = new URL('programs/', import.meta.url);
const isInstalled = existsSync(new URL('node_modules/.package-lock.json', FOLDER));

/** Whether to leave out its tests: never in CI, where {@link runDuckdb} fails instead. */
export const withoutDuckdb = !isInstalled && process.env.CI !== 'true';

type DuckdbRow = Readonly<Record<string, unknown>>;

/**
 * Runs statements in DuckDB.
 * @param folder to which file names in them are relative
 * @returns the rows of each
 * @throws Error that says how to install it, if it is not
 */
export const runDuckdb = async (folder: string, statements: readonly string[]): Promise<DuckdbRow[][]> => {
  if (!isInstalled) throw new Error('DuckDB is not installed: npm ci --prefix test/analytics/programs');
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('duckdb.mjs', FOLDER))], {
    env: { PATH: process.env.PATH, INPUT: JSON.stringify({ folder, statements }) },
    maxBuffer: 256 * 1024 * 1024,
  });
  return JSON.parse(stdout) as DuckdbRow[][];
};
