/**
 * Writes the table of operations in README.md, between its two marks, from openapi.json.
 *
 *   tsx scripts/operation-table.ts           writes the table
 *   tsx scripts/operation-table.ts --check   exits 1 when the table on disk differs
 */
import { readFile, writeFile } from 'node:fs/promises';

const README = new URL('../README.md', import.meta.url);
const DOCUMENT = new URL('../openapi.json', import.meta.url);
const MARKS = /(<!-- operations -->\n)[\s\S]*?(<!-- end of operations -->)/;

interface Document {
  paths: Record<string, Record<string, { summary: string }>>;
}

const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as Document;
const rows = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { summary }]) => `| \`${method.toUpperCase()} ${path}\` | ${summary} |\n`),
);
const readme = await readFile(README, 'utf8');
const wanted = readme.replace(MARKS, `$1\n| Operation | What it does |\n|---|---|\n${rows.join('')}\n$2`);
if (!process.argv.includes('--check')) await writeFile(README, wanted);
else if (readme !== wanted) {
  console.error('The operations in README.md are not those of openapi.json: run `npm run openapi`.');
  process.exitCode = 1;
}
