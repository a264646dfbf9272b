import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { AppError } from '../../error.js';
import { readSearchQuery } from './search-query.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const matches = async (query: string, text: string): Promise<boolean> => {
  const [row] = await fixture.db.run<{ found: boolean }>(`select search_vector($1) @@ search_query($2) as found`, [
    text,
    readSearchQuery(query).words,
  ]);
  return (row as { found: boolean }).found;
};

test.each([
  ['tomato', 'One Tomato a day', true],
  ['tomato', 'tomatoes', false],
  ['tomat*', 'tomatoes', true],
  ['one day', 'one tomato a day', true],
  ['one + day', 'one tomato a day', true],
  ['one +day', 'one tomato', false],
  ['one night', 'one tomato a day', false],
  ['night | day', 'a day', true],
  ['one (night | day)', 'one day', true],
  ['one (night | day)', 'two days and a night', false],
  ['day -night', 'day and night', false],
  ['day -night', 'day and dusk', true],
  ['day -(night dusk)', 'day and dusk', true],
  ['day -"and night"', 'day night and', true],
  ['day -"and night"', 'day and night', false],
  ['"one tomato"', 'one red tomato', false],
  ['"one tomato"~1', 'one red tomato', true],
  ['"one tomato"~1', 'one big red tomato', false],
  ['"one tomato day"~2', 'one red tomato every other day', true],
  ['"unclosed phrase', 'an unclosed phrase', true],
  ['((one) | ', 'one', true],
  [') one (', 'one', true],
  ["o'neil", "It was o'neil", true],
  ['back\\slash', 'a back\\slash', true],
  ["it's | 'x' & !y:*", "it's x", true],
  ['foo-bar', 'a foo-bar', true],
  ['- one', 'one', true],
  ['写真', '写真 旅', true],
  ['写真', '真写 旅', false],
  ['写*', '真写旅', true],
  ['東京 -大阪', '東京から大阪へ', false],
  ['"東京 大阪"~2', '東京から大阪へ', true],
  ['ＡＢＣ １２', 'abc 12', true],
  ['"ｔｅａ"', 'green tea', true],
  ['काम', 'कीम', false],
  ['one 🍅 day', 'one day', true],
])('%s in %s: %s', async (query, text, found) => {
  expect(await matches(query, text)).toBe(found);
});

test('before and after bound the time, in UTC', () => {
  const day = 86_400;
  const { words, from, until } = readSearchQuery(
    'tea after:2021-01-02 before:2021-01-03T12:00 (more after:2021-01-01)',
  );
  expect({ from, until }).toEqual({ from: day, until: 2.5 * day });
  expect(words).toBe("('tea' & 'more')");
  expect(readSearchQuery('x before:2021-01-02T01:00:00+01:00').until).toBe(day);
  expect(readSearchQuery('x after:1999-01-01 before:9999-12-31')).toMatchObject({ from: 0, until: 2_147_483_647 });
  expect(readSearchQuery('x')).toEqual({ words: "'x'", from: undefined, until: undefined });
});

test.each([
  '',
  '   ',
  '!!!',
  '🍅',
  '-one',
  'one | -two',
  '(-one -two)',
  '()',
  '""',
  '-',
  'before:2021-01-01',
  'x before:yesterday',
  'x after:2021-13-01',
  'x after:2021',
  'tomato~',
  'tomato~2',
  '"one two"~4',
  '"one two three four five"~1',
  'x'.repeat(501),
  '"a b c d"~3 '.repeat(40),
  '"a b c d"~3|'.repeat(40),
  `"${'a-'.repeat(200)}a b c d"~3`,
  'a '.repeat(161),
  '語'.repeat(161),
  '\u{fdfa}'.repeat(40),
])('%s is refused', (query) => {
  expect(() => readSearchQuery(query)).toThrow(expect.objectContaining({ kind: 'invalid', property: 'q' }));
});

const piece = fc.oneof(
  fc.constantFrom(
    '(',
    ')',
    '|',
    '+',
    '-',
    '"',
    '*',
    '~',
    '~2',
    '"~1',
    ' ',
    "'",
    '\\',
    ':',
    '&',
    '!',
    '<->',
    ':*',
    ':A',
  ),
  fc.constantFrom('one', 'before:', 'after:2021-01-01', '写真', '🍅', 'http://a.example/b?c', 'a@b.example', '\ud800'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

test('whatever is asked, it is refused as invalid or PostgreSQL takes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 24 }), async (pieces) => {
      const text = pieces.join('').replaceAll('\0', '');
      let words: string;
      try {
        ({ words } = readSearchQuery(text));
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        expect(error).toMatchObject({ kind: 'invalid', property: 'q' });
        return;
      }
      await fixture.db.run(`select search_vector('x') @@ search_query($1)`, [words]);
    }),
    { numRuns: 400 },
  );
});

test('deep brackets, long words and many phrases stay within what PostgreSQL takes', async () => {
  for (const text of [
    `${'('.repeat(400)}x`,
    `${'(a|'.repeat(159)}x`,
    `${'-'.repeat(400)}x y`,
    '語'.repeat(160),
    `z ${'(-'.repeat(200)}x y`,
    '"a b c d"~3 "one two"~1 three four',
    `"${'a '.repeat(160)}"`,
  ]) {
    await fixture.db.run(`select search_query($1)`, [readSearchQuery(text).words]);
  }
});

const unusualTerm = fc
  .array(
    fc.constantFrom('a', 'B', '1', '9e5', 'é', 'İ', '写', 'ก', '็', 'ि', '²', '-', '_', '.', '/', '@', '~', '&', '🍅'),
    { minLength: 1, maxLength: 20 },
  )
  .map((parts) => parts.join(''));

test('what is taken never has more than 160 words for PostgreSQL, whatever it makes of each', async () => {
  const phrase = fc
    .tuple(fc.array(unusualTerm, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '~1', '~2', '~3'))
    .map(([words, slop]) => `"${words.join(' ')}"${slop}`);
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(phrase, unusualTerm), { minLength: 1, maxLength: 12 }), async (parts) => {
      let words: string;
      try {
        ({ words } = readSearchQuery(parts.join(' ')));
      } catch {
        return;
      }
      taken++;
      const [row] = await fixture.db.run<{ count: number }>(
        `select count(*)::integer as count
           from regexp_matches(search_query($1)::text, '''(?:[^'']|'''')*''', 'g')`,
        [words],
      );
      expect((row as { count: number }).count).toBeLessThanOrEqual(160);
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(40);
});

test('a query that is too large is refused with what to do about it', () => {
  expect(() => readSearchQuery('"a b c d"~3 '.repeat(40))).toThrow(
    /q comes to 5920 words, and may come to 160: use fewer words, and fewer or shorter phrases with ~/,
  );
});
