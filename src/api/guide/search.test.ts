import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexSections, MAX_HITS, MAX_QUERY_LENGTH, searchSections } from './search.js';
import { splitSections } from './section.js';

const pageOf = (name: string, text: string) => ({
  name,
  title: /^# (.*)$/m.exec(text)?.[1] ?? '',
  about: '',
  text,
});
const GROUPS = [
  { title: 'Guides', names: ['guide-x'] },
  { title: 'The interface', names: ['webhooks'] },
];
const indexOf = (...pages: ReturnType<typeof pageOf>[]) => indexSections(pages.flatMap(splitSections), GROUPS);
const found = (index: ReturnType<typeof indexOf>, query: string) =>
  searchSections(index, query).hits.map(({ section }) => `${section.page.name}#${section.anchor}`);

describe('sections', () => {
  test('end at the next heading, and headings in code are none', () => {
    const page = pageOf(
      'a',
      '# A\n\nOne `two` [three](x.md).\n\n```sh\n# no heading\n```\n\n## A `b`\n\n| c | d |\n|---|---|\n| e | f |\n\n## A b\n',
    );
    expect(splitSections(page).map(({ heading, anchor, text }) => [heading, anchor, text])).toEqual([
      ['A', 'a', 'One two three. # no heading'],
      ['A b', 'a-b', 'c d e f'],
      ['A b', 'a-b-1', ''],
    ]);
  });
});

describe('a search', () => {
  const index = indexOf(
    pageOf('webhooks', '# Webhooks\n\nA webhook calls you.\n\n## Secrets\n\nThey sign.'),
    pageOf('guide-x', '# Guide: x\n\nMake a webhook.'),
    pageOf('decisions/0001-x', '# 1. Webhooks are rows\n\nWhy a webhook is a row.'),
  );

  test('needs all words, in any case, and puts headings first and decisions last', () => {
    expect(found(index, 'WEBHOOK')).toEqual([
      'webhooks#webhooks',
      'decisions/0001-x#1-webhooks-are-rows',
      'guide-x#guide-x',
      'webhooks#secrets',
    ]);
    expect(found(index, 'webhook sign')).toEqual(['webhooks#secrets']);
    expect(found(index, 'webhook absent')).toEqual([]);
    expect(found(index, '')).toEqual([]);
  });

  test('cuts no text but at spaces, and marks the words alone', () => {
    const [{ section, excerpt } = expect.fail()] = searchSections(index, 'calls').hits;
    expect(excerpt).toEqual(['A webhook ', 'calls', ' you.']);
    expect(section.heading).toBe('Webhooks');
  });

  test('takes any query for words, and shows only what is in the section', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', ' ', '.', '<', 'é', 'İ', '`', '|', '\n'),
      maxLength: 600,
    });
    fc.assert(
      fc.property(text, fc.string({ unit: 'binary', maxLength: MAX_QUERY_LENGTH }), text, (body, strange, words) => {
        const one = indexOf(pageOf('p', `# Title\n\n${body}`));
        for (const query of [strange, words.slice(0, MAX_QUERY_LENGTH)]) {
          const { hits, total } = searchSections(one, query);
          expect(hits.length).toBe(Math.min(total, MAX_HITS));
          for (const { section, excerpt } of hits) {
            const shown = excerpt.join('').replace(/^… /, '').replace(/ …$/, '');
            expect(section.text).toContain(shown);
            expect(excerpt.length % 2).toBe(1);
          }
        }
      }),
    );
  });
});
