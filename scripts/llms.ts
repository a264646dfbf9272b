/**
 * Writes docs/llms.txt, an index of the documentation for language models (llmstxt.org), and docs/llms-full.txt, the
 * pages themselves in one file. A service serves both at its root.
 *
 *   tsx scripts/llms.ts           writes the files
 *   tsx scripts/llms.ts --check   exits 1 when one on disk differs
 */
import { readFile, writeFile } from 'node:fs/promises';
import { type DocPage, readDocPages } from '../src/api/guide/doc-page.js';
import { groupPages, PROJECT_GROUP } from '../src/api/guide/page-list.js';

const DOCS = new URL('../docs/', import.meta.url);

/** For those who change the code, and rewritten by their tools; the index alone has them. */
const ONLY_INDEXED = new Set(['coverage', 'data-flow', 'hub-cases', 'testing']);

const pages = await readDocPages(DOCS);
const sections = groupPages([...pages.keys()].filter((name) => !name.includes('/'))).map(({ title, names }) => ({
  // What language models may leave out (llmstxt.org).
  title: title === PROJECT_GROUP ? 'Optional' : title,
  pages: names.map((name) => pages.get(name) as DocPage),
}));

const HEAD = `# Castellan

> Castellan is a self-hosted server of the Farcaster social protocol. It verifies and stores the signed messages that hubs exchange, and serves them as JSON. Its interface is compatible with the Neynar API and with the HTTP interface of hubs.
`;

const index = [
  HEAD,
  'Requests carry a key in `x-api-key`, in `api_key`, or as `Authorization: Bearer`. Agents use the tools at `/mcp` (Model Context Protocol); [openapi.json](openapi.json) describes every operation.\n',
  ...sections.map(({ title, pages: listed }) =>
    [
      `## ${title}`,
      '',
      ...listed.map(({ name, title: page, about }) => `- [${page}](docs/${name}.md): ${about}`),
      '',
    ].join('\n'),
  ),
].join('\n');

const full = [
  HEAD,
  ...sections
    .flatMap(({ pages: listed }) => listed)
    .filter(({ name }) => !ONLY_INDEXED.has(name))
    .map(({ name, text }) => `<!-- docs/${name}.md -->\n${text.trim()}\n`),
].join('\n');

for (const [file, wanted] of [
  ['llms.txt', index],
  ['llms-full.txt', full],
] as const) {
  const path = new URL(file, DOCS);
  if (!process.argv.includes('--check')) await writeFile(path, wanted);
  else if ((await readFile(path, 'utf8').catch(() => '')) !== wanted) {
    console.error(`docs/${file} does not match the pages: run \`npm run llms\` and commit the result.`);
    process.exitCode = 1;
  }
}
