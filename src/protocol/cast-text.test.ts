import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { castText } from './cast-text.js';

const bytes = (text: string): number => Buffer.byteLength(text);
const cut = (text: string, names: { name: string; position: number }[]) => {
  const result = castText(text, names);
  return { text: result.text, cuts: result.ranges.map(({ start, end }) => result.text.slice(start, end)) };
};

describe('names in a text', () => {
  test.each([
    ['at the start', ' hello', 0, '@alice hello'],
    ['at the end', 'hello ', 6, 'hello @alice'],
    ['in an empty text', '', 0, '@alice'],
    ['after an emoji of four bytes', '🍅  x', bytes('🍅 '), '🍅 @alice x'],
    ['after a flag of two regional indicators', '🇦🇹 ok', bytes('🇦🇹'), '🇦🇹@alice ok'],
    ['between the two halves of a flag', '🇦🇹', 4, '🇦@alice🇹'],
    ['after a family joined by ZWJ', '👨‍👩‍👧‍👦!', bytes('👨‍👩‍👧‍👦'), '👨‍👩‍👧‍👦@alice!'],
    ['after a combining accent', 'né né', bytes('né '), 'né @alicené'],
    ['inside a character of four bytes: before it', 'a🍅b', 3, 'a@alice🍅b'],
    ['inside a character of two bytes: before it', 'éb', 1, '@aliceéb'],
    ['beyond the end: at the end', 'abc', 99, 'abc@alice'],
    ['before the start: at the start', 'abc', -1, '@aliceabc'],
  ])('%s', (_, text, position, expected) => {
    expect(cut(text, [{ name: 'alice', position }])).toEqual({ text: expected, cuts: ['@alice'] });
  });

  test('side by side, and in the order of the mentions even where positions are not', () => {
    expect(
      cut('🍅 and ', [
        { name: 'carol.eth', position: bytes('🍅 and ') },
        { name: 'alice', position: 0 },
        { name: 'bob', position: 0 },
      ]),
    ).toEqual({ text: '@alice@bob🍅 and @carol.eth', cuts: ['@carol.eth', '@alice', '@bob'] });
  });

  test('without names the text stays as it is', () => {
    expect(castText('plain', [])).toEqual({ text: 'plain', ranges: [] });
  });

  test('hundreds of kilobytes take no noticeable time', () => {
    const text = '🍅né'.repeat(100_000);
    const names = Array.from({ length: 1000 }, (_, i) => ({ name: 'alice', position: i * 700 }));
    const began = performance.now();
    const result = castText(text, names);
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(result.ranges.every(({ start, end }) => result.text.slice(start, end) === '@alice')).toBe(true);
  });
});

test('for any text and any positions: every range cuts its name, and without the names it is the text again', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), position: fc.integer({ min: -3, max: 250 }) }), {
        maxLength: 8,
      }),
      (text, names) => {
        const result = castText(text, names);
        const cuts = result.ranges.map(({ start, end }) => result.text.slice(start, end));
        const backwards = [...result.ranges].sort((x, y) => y.start - x.start);
        const rest = backwards.reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), result.text);
        return rest === text && names.every(({ name }, index) => cuts[index] === `@${name}`);
      },
    ),
  );
});
