import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SLUG, slugOf, termsOf } from './term.js';

const names = (text: string): string[] => termsOf(text).map(({ name }) => name);

describe('terms of a cast', () => {
  test.each([
    ['Off to #FarCon, see you there', ['FarCon']],
    ['$DEGEN and $degen are one, $100 and a$b are none', ['$DEGEN']],
    ['I love New York', ['New York']],
    ['New York City is #NewYorkCity', ['NewYorkCity', 'New York', 'York City']],
    ['On the Golden Gate Bridge', ['Golden Gate', 'Golden Gate Bridge', 'Gate Bridge']],
    // The name of a mentioned account is missing between the two spaces.
    ['Hello  World', []],
    ['Hello, World. Good-Bye World', []],
    ['The Beatles and How About This', []],
    ['https://example.com/Big/Page#New Big City Lights', ['Big City', 'Big City Lights', 'City Lights']],
    ["Don't Stop McDonald's Now", []],
    ['#build_day #2026 #a #the', ['build_day']],
    ['São Paulo #São_Paulo', ['São_Paulo']],
    ['Київ Харків #東京', ['東京', 'Київ Харків']],
    ['Это Москва', []],
    ['＃猫 #हिन्दी_दिवस, #สงกรานต์2569 #あ', ['猫', 'हिन्दी_दिवस', 'สงกรานต์2569']],
    ['#①② #ＦａｒＣｏｎ', ['FarCon']],
    ['##x &#39; a#b /#c', []],
  ])('%j', (text, expected) => expect(names(text)).toEqual(expected));
});

test('spellings of a term have one key, and slugs keep its words apart', () => {
  const keys = ['New York', '#NewYork', '#new_york', '$NEWYORK'].map((text) => termsOf(text)[0]?.key);
  expect(new Set(keys)).toEqual(new Set(['newyork']));
  expect(['New York', 'new_york', 'NewYork', '$DEGEN', 'São Paulo'].map(slugOf)).toEqual([
    'new_york',
    'new_york',
    'newyork',
    'degen',
    'sao_paulo',
  ]);
  expect(['Київ', '東京_タワー', 'हिन्दी', 'ÀΒ'].map(slugOf)).toEqual(['київ', '東京_タワー', 'हिन्दी', 'àβ']);
});

test('every term of any text has a valid slug, which is its key without underscores', () => {
  const piece = fc.constantFrom('#', '$', ' ', 'A', 'b', 'É', 'ß', 'İ', '_', '7', 'ﬁ', 'Ⅷ', '字', '😀', "'", '\n');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (one) => {
      const terms = termsOf(one);
      expect(terms.length).toBeLessThanOrEqual(20);
      expect(new Set(terms.map(({ key }) => key)).size).toBe(terms.length);
      for (const { key, name } of terms) {
        expect(slugOf(name)).toMatch(SLUG);
        expect(slugOf(name).replaceAll('_', '')).toBe(key);
      }
    }),
    { numRuns: 500 },
  );
});

test('long and hostile texts take little time', () => {
  const began = performance.now();
  for (const unit of ['A ', 'Aa ', '#', '#a', '$', 'https://', 'Aa', '\u0301', "Aa'"]) termsOf(unit.repeat(5000));
  expect(performance.now() - began).toBeLessThan(1000);
});
