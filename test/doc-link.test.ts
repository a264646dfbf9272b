import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test('no page has a command that fetches the package by its name, which is not registered', () => {
  const fetching = pages.flatMap((page) => [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(
      /(npx|npm exec|npm (install|i)( -\S+| --global)*) castellan\b.*/g,
    ),
  ]);
  expect(fetching.map(([command]) => command)).toEqual([]);
});

/** Removes code, which contains no links and headings. */
const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');
const withoutCode = (text: string): string => withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');

/** @returns the anchors of the headings of a page, as GitHub generates them. */
const anchorsOf = (text: string): Set<string> => {
  const anchors = new Set<string>();
  for (const [, title = ''] of withoutBlocks(text).matchAll(/^#+ (.*)$/gm)) {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim();
    const slug = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let name = slug;
    for (let more = 1; anchors.has(name); more += 1) name = `${slug}-${more}`;
    anchors.add(name);
  }
  return anchors;
};

/** @returns the relative links of a page without a target. */
const brokenLinks = (page: string, text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s*(\S+)/gm)]
    .map(([, inline, listed]) => inline ?? listed ?? '')
    .filter((link) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#', 2);
      const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), decodeURIComponent(path));
      // Files outside the checkout do not exist for other readers.
      if (relative(ROOT, target).startsWith('..')) return true;
      if (path !== '' && !existsSync(target)) return true;
      if (anchor === undefined || (path !== '' && statSync(target).isDirectory())) return false;
      if (path !== '' && !target.endsWith('.md')) return false;
      return !anchorsOf(path === '' ? text : readFileSync(target, 'utf8')).has(anchor);
    });

test.each(pages)('every relative link in %s has a target', (page) => {
  expect(brokenLinks(page, readFileSync(join(ROOT, page), 'utf8'))).toEqual([]);
});

test('finds links to missing files and headings and out of the checkout; ignores code and external links', () => {
  const text = [
    '# A page, with `code` & more',
    '## Twice',
    '## Twice',
    '[a](wire-names.md) [b](../README.md) [c](#a-page-with-code--more) [d](#twice-1) [e](decisions)',
    '[f](no-such.md) [g](#twice-2) [h](wire-names.md#no-such) [i](../../elsewhere.md) [j](https://social.example/x)',
    '`[k](no-such-code.md)`',
    '```',
    '# Not a heading',
    '[l](no-such-block.md)',
    '```',
    '[m](#not-a-heading)',
    '[n]: no-such-list.md',
  ].join('\n');
  const dead = ['no-such.md', '#twice-2', 'wire-names.md#no-such', '../../elsewhere.md', '#not-a-heading'];
  expect(brokenLinks('docs/page.md', text)).toEqual([...dead, 'no-such-list.md']);
});
