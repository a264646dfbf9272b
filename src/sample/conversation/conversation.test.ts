import { describe, expect, test } from 'vitest';
import { SAMPLE_CHANNELS } from '../channel.js';
import { createRandom } from '../random.js';
import {
  CHANNEL_OPENINGS,
  FOREIGN_OPENINGS,
  HOME_OPENINGS,
  LONG_OPENINGS,
  LONGEST_OPENINGS,
  lineOf,
} from './conversation.js';
import { parseScript, writeLine } from './script.js';

const random = createRandom('castellan', 'test');
const everyOpening = [...CHANNEL_OPENINGS.values(), ...FOREIGN_OPENINGS.values(), HOME_OPENINGS].flat();

describe('the conversations of the sample', () => {
  test('each channel has several, and no channel is unknown', () => {
    expect([...CHANNEL_OPENINGS.keys()].sort()).toEqual(SAMPLE_CHANNELS.map(({ id }) => id).sort());
    for (const openings of CHANNEL_OPENINGS.values()) expect(openings.length).toBeGreaterThanOrEqual(6);
    for (const { channel } of everyOpening) {
      if (channel !== undefined) expect(CHANNEL_OPENINGS.has(channel)).toBe(true);
    }
  });

  test('eight other languages and more have several', () => {
    expect(FOREIGN_OPENINGS.size).toBeGreaterThanOrEqual(8);
    for (const openings of FOREIGN_OPENINGS.values()) expect(openings.length).toBeGreaterThanOrEqual(6);
  });

  test('each opening has replies', () => {
    for (const { replies, text } of everyOpening) expect([text, replies.length > 1]).toEqual([text, true]);
  });

  test('long ones are as long as they are meant to be', () => {
    for (const { text } of LONG_OPENINGS) expect(Buffer.byteLength(text)).toBeGreaterThan(320);
    for (const { text } of LONGEST_OPENINGS) expect(Buffer.byteLength(text)).toBeGreaterThan(1024);
  });

  test('a stored text is found again, whatever was chosen, mentioned or copied', () => {
    for (const line of everyOpening) {
      const text = writeLine(random, line.text, () => 7).filter((part) => typeof part === 'string');
      expect(lineOf(text.join(''))).toBe(line);
      expect(lineOf(`${text.join('')} cc `)).toBe(line);
    }
    expect(lineOf('Hello from a user')).toBeUndefined();
  });
});

test('a script says who answers whom', () => {
  const [opening, other] = parseScript(
    `
#food First, @
  A reply
    By the first again
  @> By the mentioned one
#Topic without a channel`,
    'en',
  );
  expect(opening).toMatchObject({ text: 'First, @', channel: 'food', speaker: 'anybody' });
  expect(opening?.replies.map(({ text, speaker }) => [text, speaker])).toEqual([
    ['A reply', 'anybody'],
    ['By the mentioned one', 'mentioned'],
  ]);
  expect(opening?.replies[0]?.replies[0]).toMatchObject({ speaker: 'earlier author', channel: 'food' });
  expect(other).toMatchObject({ text: '#Topic without a channel', channel: undefined });
});
