/**
 * Writes docs/operations.md, the table of all operations, from openapi.json.
 *
 *   tsx scripts/operations.ts           writes the file
 *   tsx scripts/operations.ts --check   exits 1 when the file on disk differs
 */
import { readFile, writeFile } from 'node:fs/promises';

const FILE = new URL('../docs/operations.md', import.meta.url);
const OPENAPI = new URL('../openapi.json', import.meta.url);

const HEAD = `# Operations

<!-- written by scripts/operations.ts from openapi.json -->

\`/v1/...\` is the interface of a hub, \`/v2/social/...\` the social interface. Every path under \`/v2/social/\` is also served
under \`/v2/farcaster/\`, with the names that client libraries of the ecosystem use ([wire names](wire-names.md)). The reference at \`/docs\` of a
running service describes parameters and responses.
`;

interface Operation {
  /** Its first paragraph is a sentence about what the operation does. */
  readonly description: string;
  readonly tags: readonly [string];
}

const { paths } = JSON.parse(await readFile(OPENAPI, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

/** Title of the section of operations with this tag; all of the hub share one. */
const titleOf = (tag: string): string => (tag.startsWith('Hub ') ? 'Hub' : tag === 'portal' ? 'Portal' : tag);

const sections = new Map<string, string[]>();
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, { description, tags }] of Object.entries(methods)) {
    const rows = sections.get(titleOf(tags[0])) ?? [];
    sections.set(titleOf(tags[0]), rows);
    rows.push(`| \`${method.toUpperCase()} ${path}\` | ${description.split('\n')[0]} |`);
  }
}
const tables = [...sections]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([title, rows]) =>
    [`## ${title}`, '', '| Operation | What it does |', '|---|---|', ...rows.sort(), ''].join('\n'),
  );

const wanted = [HEAD, ...tables].join('\n');
if (!process.argv.includes('--check')) await writeFile(FILE, wanted);
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== wanted) {
  console.error('docs/operations.md is out of date: run `npm run operations` and commit the result.');
  process.exitCode = 1;
}
