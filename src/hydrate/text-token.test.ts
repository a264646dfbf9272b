import { describe, expect, test } from 'vitest';
import { channelTokens, nameTokens, type TextToken } from './text-token.js';

const values = (tokens: readonly TextToken[]): string[] => tokens.map((token) => token.value);

describe('channels in a text', () => {
  test.each([
    ['/dev', ['dev']],
    ['hi /dev and (/memes), "/art".', ['dev', 'memes', 'art']],
    ['line\n/dev\n', ['dev']],
    ['https://example.org/dev', []],
    ['/usr/bin /index.html 1/2 and/or //dev', []],
    ['/Dev', []],
    ['/devé /dev-é', []],
    ['🍅/dev 🍅 /dev.', ['dev']],
    [`/${'a'.repeat(65)}`, []],
  ])('%j', (text, expected) => {
    expect(values(channelTokens(text))).toEqual(expected);
  });
});

describe('names in a text', () => {
  test.each([
    ['@alice', ['alice']],
    ['building @alice.eth, @Bob. (@carol-1)', ['alice.eth', 'bob', 'carol-1']],
    ['me@example.org https://x.com/@alice', []],
    ['@alice.bsky.social @a_b @', []],
    ['@alice.base.eth', ['alice.base.eth']],
    ['🇦🇹 @alice🍅', ['alice']],
    ['@alice@example.org x@alice @@alice', []],
    ['@jose\u0301 e\u0301@alice x\u0301@alice ö@alice @aliceö', []],
    ['@skiff님 @skiffさん 안녕@skiff 東京@skiffへ', ['skiff', 'skiff', 'skiff', 'skiff']],
    ['привет@skiff, @skiffа и @skiff!', ['skiff', 'skiff', 'skiff']],
    ['شكرا@skiffشكرا नमस्ते@skiffजी สวัสดี@skiffครับ', ['skiff', 'skiff', 'skiff']],
    ['❤\ufe0f@alice ✊🏾@bob', ['alice', 'bob']],
    ['@\u212aate @\u017fam', []],
    ['@Alice.Base.ETH!', ['alice.base.eth']],
  ])('%j', (text, expected) => {
    expect(values(nameTokens(text))).toEqual(expected);
  });
});

test('start and end of a token are string indexes for slice', () => {
  const text = '🇦🇹👨‍👩‍👧 by @alice in /dev';
  expect([...nameTokens(text), ...channelTokens(text)].map(({ start, end }) => text.slice(start, end))).toEqual([
    '@alice',
    '/dev',
  ]);
});

test('long texts take no noticeable time', () => {
  const began = performance.now();
  for (const text of ['/a'.repeat(200_000), ' /aaaa/'.repeat(60_000), '@a.'.repeat(100_000), 'a'.repeat(400_000)]) {
    channelTokens(text);
    nameTokens(text);
  }
  expect(performance.now() - began).toBeLessThan(5_000);
});
