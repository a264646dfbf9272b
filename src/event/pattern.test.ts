import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../error.js';
import { compilePattern } from './pattern.js';

const occurs = (source: string, text: string): boolean => compilePattern(source, 'text').test(text);

test.each([
  ['gm', 'say gm all', true],
  ['^gm$', 'say gm', false],
  ['GM', 'gm', false],
  ['(?i)GM', 'gm', true],
  ['(?i:G)M', 'gm', false],
  ['(?i)straße', 'STRASSE', false],
  ['^\\pL+$', 'Ωmegañ', true],
  ['^\\p{Greek}+$', 'Ωμ', true],
  ['\\PL', 'abc', false],
  ['a\\z', 'a\n', false],
  ['a$', 'a\nb', false],
  ['(?m)a$', 'a\nb', true],
  ['\\Ab', 'a\nb', false],
  ['a.b', 'a\nb', false],
  ['(?s)a.b', 'a\nb', true],
  ['^.$', '😀', true],
  ['\\x{1F600}', '😀', true],
  ['^a+?b*?$', 'aabb', true],
  ['(?U)^a+$', 'aa', true],
  ['\\bgm\\b', 'egmond', false],
  ['\\bgm\\b', '🌞gm!', true],
  ['[[:digit:]]{4}', 'year 2024', true],
  ['^\\Qa.b\\E$', 'axb', false],
  ['(?P<word>gm)', 'gm', true],
  ['(?<word>gm)', 'gm', true],
  ['(?-i)a|b|', 'zzz', true],
])('RE2 %s in %j: %s', (source, text, expected) => {
  expect(occurs(source, text)).toBe(expected);
});

const faultOf = (source: string): AppError => {
  try {
    compilePattern(source, 'subscription.cast.created.text');
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${source} compiled`);
};

test.each([
  ['(a)\\1', '`\\1`'],
  ['(?=a)', '`(?=`'],
  ['(?!a)', '`(?!`'],
  ['(?<=a)b', '`(?<=a)b`'],
  ['(?>a)', '`(?>`'],
  ['a++', '`++`'],
  ['a\\Z', '`\\Z`'],
  ['(a', 'missing closing )'],
  ['a)', 'unexpected )'],
  ['[b-a]', '`b-a`'],
  ['*a', '`*`'],
  ['\\p{Nonsense}', '`\\p{Nonsense}`'],
  ['a{1001}', '`{1001}`'],
  ['\\', 'trailing backslash'],
])('%s is no RE2', (source, named) => {
  const fault = faultOf(source);
  expect(fault).toMatchObject({ kind: 'invalid', property: 'subscription.cast.created.text' });
  expect(fault.message).toContain('RE2 syntax');
  expect(fault.message).toContain(named);
});

test('1 KiB of UTF-8 is the longest pattern', () => {
  expect(occurs('é'.repeat(512), 'é'.repeat(512))).toBe(true);
  expect(faultOf('é'.repeat(513)).message).toContain('1024 bytes');
});

test('a list of words as long as a pattern may be is accepted', () => {
  const words = `(?i)\\b(?:${Array.from({ length: 140 }, (_, n) => `wo${n}rd`).join('|')})\\b`;
  expect(words.length).toBeGreaterThan(900);
  expect(occurs(words, 'a Wo99rd said')).toBe(true);
});

const MANY = 'a?'.repeat(500);

test.each([
  ['one count', 'a{1000}'],
  ['nested counts', '(\\pL{30}){33}'],
  ['optional counts', '((a{0,100}){0,10})b'],
  ['a long group', `(?:${MANY}){1000}`],
  ['a parenthesis in a class', `(?:[)]${MANY}){1000}`],
  ['a parenthesis after a named class', `(?:[[:alpha:])]${MANY}){1000}`],
  ['a parenthesis after a bracket', `(?:[]^)]${MANY}){1000}`],
  ['an escaped parenthesis', `(?:\\)${MANY}){1000}`],
  ['a quoted parenthesis', `(?:\\Q)\\E${MANY}){1000}`],
  ['many letters', `(?i)(?:${'\\pL'.repeat(330)}){0,1000}`],
  ['a long group in nested counts', `(?:(?:${'ab?c*'.repeat(190)}){30}){33}`],
])('%s makes too large a program, which is known soon', (_, source) => {
  const start = performance.now();
  expect(faultOf(source).message).toContain('smaller counts');
  expect(performance.now() - start).toBeLessThan(1_000);
});

test.each([['\\d{4}-\\d{2}-\\d{2}'], ['0x[0-9a-f]{40}'], ['\\$[A-Z]{2,10}'], ['(?:\\w{1,20} ){1,5}'], ['a\\{999}{2}']])(
  '%s is small enough',
  (source) => {
    expect(compilePattern(source, 'text')).toBeDefined();
  },
);

test('without counted repetitions, a pattern that compiles is never too large', () => {
  const atoms = [
    'a',
    '.',
    '[ab]',
    '\\b',
    '^',
    '$',
    '(',
    '(?:',
    ')',
    '|',
    '*',
    '+',
    '?',
    '*?',
    '\\pL',
    '(?i)',
    '()',
    '(|)',
  ];
  const pattern = fc.array(fc.constantFrom(...atoms), { maxLength: 200 }).map((parts) => parts.join(''));
  let compiled = 0;
  fc.assert(
    fc.property(pattern, fc.integer({ min: 1, max: 50 }), (source, times) => {
      try {
        compilePattern(`(?:${source})`.repeat(times).slice(0, 1_000), 'text');
        compiled += 1;
      } catch (error) {
        expect((error as AppError).message).toContain('RE2 syntax');
      }
    }),
    { numRuns: 1_000 },
  );
  expect(compiled).toBeGreaterThan(50);
});

test('time grows with the text, not with the ways to match it', () => {
  const pattern = compilePattern('(x+x+)+y', 'text');
  const start = performance.now();
  expect(pattern.test('x'.repeat(10_000))).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});
