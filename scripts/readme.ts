/**
 * Writes the table of the operations that work into README.md, from openapi.json.
 *
 *   tsx scripts/readme.ts           writes the file
 *   tsx scripts/readme.ts --check   exits 1 when the file on disk differs
 */
import { readFile, writeFile } from 'node:fs/promises';

const README = new URL('../README.md', import.meta.url);
const OPENAPI = new URL('../openapi.json', import.meta.url);
const BEGIN = '<!-- operations: written by scripts/readme.ts -->';
const END = '<!-- end of operations -->';

interface Operation {
  /** Begins with a sentence about what the operation does, in a paragraph of its own. */
  readonly description: string;
  readonly tags: readonly string[];
}

const { paths } = JSON.parse(await readFile(OPENAPI, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const rows = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, { description, tags }]) =>
      `| ${tags[0]} | \`${method.toUpperCase()} ${path}\` | ${description.split('\n')[0]} |`,
  ),
);
const table = ['| Tag | Operation | What it does |', '|---|---|---|', ...rows.sort()].join('\n');

const current = await readFile(README, 'utf8');
const start = current.indexOf(BEGIN);
const end = current.indexOf(END);
if (start < 0 || end < start) throw new Error('README.md has lost the markers around its table of operations.');
const wanted = `${current.slice(0, start + BEGIN.length)}\n${table}\n${current.slice(end)}`;
if (!process.argv.includes('--check')) await writeFile(README, wanted);
else if (current !== wanted) {
  console.error('The table of operations in README.md is old: run `npm run readme` and commit the result.');
  process.exitCode = 1;
}
