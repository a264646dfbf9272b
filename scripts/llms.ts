/**
 * Writes docs/llms.txt, an index of the documentation for language models (llmstxt.org), and docs/llms-full.txt, the
 * pages themselves in one file. A service serves both at its root.
 *
 *   tsx scripts/llms.ts           writes the files
 *   tsx scripts/llms.ts --check   exits 1 when one on disk differs
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';

const DOCS = new URL('../docs/', import.meta.url);

/** The sections, and the pages that stand in them first; a page that no section names is under `Guides`. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'Start here': ['mcp', 'operations', 'writing', 'webhooks', 'streams', 'migrating'],
  Guides: [],
  Operators: ['configuration', 'operating', 'billing', 'compatibility'],
  Optional: ['wire-names', 'data-flow', 'testing', 'coverage', 'hub-cases'],
};

/** For those who change the code, and rewritten by their tools; the index alone has them. */
const ONLY_INDEXED = new Set(['coverage', 'data-flow', 'hub-cases', 'testing']);

interface Page {
  readonly name: string;
  readonly title: string;
  /** How it begins. */
  readonly about: string;
  readonly text: string;
}

const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** A sentence that is shorter says too little alone. */
const MIN_ABOUT = 60;

/** @returns the first sentence below the title, or the first two */
const beginning = (text: string): string => {
  const paragraph = text.split(/\n{2,}/).find((one) => /^[A-Za-z0-9`*[]/.test(one) && !one.startsWith('```')) ?? '';
  const sentences = plain(paragraph)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.:]) /);
  const [first = '', second = ''] = sentences;
  return (first.length < MIN_ABOUT ? `${first} ${second}` : first).trim().replace(/:$/, '.');
};

const readPage = async (file: string): Promise<Page> => {
  const text = (await readFile(new URL(file, DOCS), 'utf8')).replaceAll(/^<!--.*?-->\n*/gms, '');
  const title = /^# (.*)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`docs/${file} has no title`);
  return { name: file.replace(/\.md$/, ''), title, about: beginning(text.replace(/^# .*$/m, '').trim()), text };
};

const files = (await readdir(DOCS)).filter((file) => file.endsWith('.md')).sort();
const pages = new Map((await Promise.all(files.map(readPage))).map((page) => [page.name, page]));
const named = new Set(Object.values(SECTIONS).flat());
const pageOf = (name: string): Page => {
  const page = pages.get(name);
  if (page === undefined) throw new Error(`scripts/llms.ts names docs/${name}.md, which is not there`);
  return page;
};
const sections = Object.entries(SECTIONS).map(([title, first]) => {
  const others = title === 'Guides' ? [...pages.keys()].filter((name) => !named.has(name)) : [];
  return { title, pages: [...first, ...others].map(pageOf) };
});

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
