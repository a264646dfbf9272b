import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameTokens } from '../../hydrate/text-token.js';
import { castText } from '../../protocol/cast-text.js';
import { extractMentions, mentionableNames } from './cast-mention.js';

const FIDS = new Map([
  ['alice', 2],
  ['bob', 3],
  ['carol.eth', 4],
  ['dan.base.eth', 5],
]);
const nameOf = (fid: number): string => [...FIDS].find(([, other]) => other === fid)?.[0] as string;

const shown = (text: string): string => {
  const { text: plain, mentions, mentionsPositions } = extractMentions(text, FIDS);
  const names = mentions.map((fid, index) => ({ name: nameOf(fid), position: mentionsPositions[index] as number }));
  return castText(plain, names).text;
};

test('a text too long for any cast is refused before its names are looked up', () => {
  const longest = `@${'a'.repeat(16)}.base.eth`;
  const text = `${' '.repeat(10_000)}${longest.repeat(10)}`;
  expect(() => mentionableNames(text)).not.toThrow();
  expect(() => mentionableNames(`${text}.`)).toThrow('at most 10000 bytes');
});

test.each([
  ['gm @alice', 'gm ', [2], [3]],
  ['@alice', '', [2], [0]],
  ['@alice @bob, @alice', ' , ', [2, 3, 2], [0, 1, 3]],
  ['👩‍👩‍👧 @bob と @carol.eth、', '👩‍👩‍👧  と 、', [3, 4], [19, 24]],
  ['e\u0301 @dan.base.eth.', 'e\u0301 .', [5], [4]],
  ['@ALICE!', '!', [2], [0]],
  ['@nobody @alice.eth me@alice x@bob @bob@example.org', '@nobody @alice.eth me@alice x@bob @bob@example.org', [], []],
  ['https://example.org/@alice', 'https://example.org/@alice', [], []],
  ['🇦🇹@alice🍅', '🇦🇹🍅', [2], [8]],
])('%j', (text, plain, mentions, mentionsPositions) => {
  expect(extractMentions(text, FIDS)).toEqual({ text: plain, mentions, mentionsPositions });
});

test('the names to look up, each once', () => {
  expect(mentionableNames('@Alice @bob @alice @x.eth me@bob')).toEqual(['alice', 'bob', 'x.eth']);
});

test('ten mentions are taken, eleven refused', () => {
  expect(extractMentions('@bob '.repeat(10), FIDS).mentions).toHaveLength(10);
  expect(() => extractMentions('@bob '.repeat(11), FIDS)).toThrow(
    expect.objectContaining({ kind: 'invalid', property: 'text' }),
  );
});

const piece = fc.oneof(
  fc.constantFrom(
    '@alice',
    '@bob',
    '@carol.eth',
    '@dan.base.eth',
    '@Bob',
    '@nobody',
    '@',
    '@!2',
    'bob',
    '.eth',
    '\u0301',
  ),
  fc.constantFrom(' @alice ', ' @bob, ', '(@carol.eth)', '🍅@dan.base.eth '),
  fc.constantFrom(' ', '\n', '.', ',', '-', '/', '(', '👩‍👩‍👧', '🇯🇵', 'é', '写真', '\u200d', '\ufe0f', 'me@alice.org'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);

test('a published text is shown as typed, with each mention in the spelling of the account name', () => {
  let mentioned = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const typed = pieces.join('');
      const known = nameTokens(typed).filter(({ value }) => FIDS.has(value));
      fc.pre(known.length <= 10);
      mentioned += known.length;
      let expected = typed;
      for (const { start, end, value } of known)
        expected = `${expected.slice(0, start)}@${value}${expected.slice(end)}`;
      expect(shown(typed)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
  expect(mentioned).toBeGreaterThan(500);
});
