import { readdir, readFile } from 'node:fs/promises';

/** A page of the documentation. */
export interface DocPage {
  /** Its path below docs/, without `.md`: `billing`, `decisions/0029-stripe`. */
  readonly name: string;
  readonly title: string;
  /** How it begins: a sentence or two, as plain text. */
  readonly about: string;
  /** Markdown, without comments of generators. */
  readonly text: string;
}

/** @returns the text of links, without their targets */
const withoutLinks = (markdown: string): string => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** A sentence that is shorter says too little alone. */
const MIN_ABOUT = 60;

const beginningOf = (text: string): string => {
  const paragraph = text.split(/\n{2,}/).find((one) => /^[A-Za-z0-9`*[]/.test(one) && !one.startsWith('```')) ?? '';
  const sentences = withoutLinks(paragraph)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.:]) /);
  const [first = '', second = ''] = sentences;
  return (first.length < MIN_ABOUT ? `${first} ${second}` : first).trim().replace(/:$/, '.');
};

/** @throws if the page has no title */
const parsePage = (name: string, source: string): DocPage => {
  const text = source.replaceAll(/^<!--.*?-->\n*/gms, '');
  const title = /^# (.*)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`docs/${name}.md has no title`);
  return { name, title, about: beginningOf(text.replace(/^# .*$/m, '').trim()), text };
};

const readFolder = async (docs: URL, prefix: string): Promise<DocPage[]> => {
  const files = (await readdir(new URL(prefix, docs))).filter((file) => file.endsWith('.md')).sort();
  return Promise.all(
    files.map(async (file) => {
      const path = `${prefix}${file}`;
      return parsePage(path.slice(0, -'.md'.length), await readFile(new URL(path, docs), 'utf8'));
    }),
  );
};

/**
 * @param docs the folder docs/, with a slash at its end
 * @returns its pages and the records of decisions below it, by name, each in the order of names
 */
export const readDocPages = async (docs: URL): Promise<ReadonlyMap<string, DocPage>> => {
  const pages = [...(await readFolder(docs, '')), ...(await readFolder(docs, 'decisions/'))];
  return new Map(pages.map((page) => [page.name, page]));
};
