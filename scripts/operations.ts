/**
 * Writes docs/operations.md, the table of all operations, from openapi.json.
 *
 *   tsx scripts/operations.ts           writes the file
 *   tsx scripts/operations.ts --check   exits 1 when the file on disk differs
 */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

const FILE = new URL('../docs/operations.md', import.meta.url);
const API = new URL('../src/api/', import.meta.url);
const OPENAPI = new URL('../openapi.json', import.meta.url);

const HEAD = `# Operations

<!-- written by scripts/operations.ts from openapi.json -->

All operations by subject, with the file of each. \`/v1/...\` is the interface of a hub, \`/v2/social/...\` the social interface. Every path under \`/v2/social/\` is also served
under \`/v2/farcaster/\`, with the names that client libraries of the ecosystem use ([wire names](wire-names.md)). The reference at \`/docs\` of a
running service describes parameters and responses.
`;

interface Operation {
  readonly operationId: string;
  /** Its first paragraph is a sentence about what the operation does. */
  readonly description: string;
  readonly tags: readonly [string];
}

const { paths } = JSON.parse(await readFile(OPENAPI, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

/** Title of the section of operations with this tag; all of the hub share one. */
const titleOf = (tag: string): string => (tag.startsWith('Hub ') ? 'Hub' : tag === 'portal' ? 'Portal' : tag);

const sources = new Map(
  readdirSync(API, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [basename(file, '.ts'), file.replaceAll('\\', '/')]),
);
const sourceOf = (id: string): string => {
  const file = sources.get(id.toLowerCase());
  if (file === undefined) throw new Error(`no file is named after ${id}`);
  return `[${id}](../src/api/${file})`;
};

const sections = new Map<string, string[]>();
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, { operationId, description, tags }] of Object.entries(methods)) {
    const rows = sections.get(titleOf(tags[0])) ?? [];
    sections.set(titleOf(tags[0]), rows);
    rows.push(`| \`${method.toUpperCase()} ${path}\` | ${sourceOf(operationId)} | ${description.split('\n')[0]} |`);
  }
}
const tables = [...sections]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([title, rows]) =>
    [`## ${title}`, '', '| Operation | Id and file | What it does |', '|---|---|---|', ...rows.sort(), ''].join('\n'),
  );

const wanted = [HEAD, ...tables].join('\n');
if (!process.argv.includes('--check')) await writeFile(FILE, wanted);
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== wanted) {
  console.error('docs/operations.md is out of date: run `npm run operations` and commit the result.');
  process.exitCode = 1;
}
