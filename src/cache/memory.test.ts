import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { delay } from '../../test/support/delay.js';
import { memoryOf } from './memory.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const used = async (): Promise<number> => {
  // The memory of buffers is freed separately from the collection, and counted only then.
  for (let n = 0; n < 4; n++) {
    collect();
    await delay(5);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** @returns bytes of memory for each of many such values */
const growth = async (make: (n: number) => unknown, count: number): Promise<number> => {
  const held: unknown[] = new Array(count).fill(null);
  for (let n = 0; n < count; n++) make(n);
  const before = await used();
  for (let n = 0; n < count; n++) held[n] = make(n);
  const bytes = ((await used()) - before) / count;
  expect(held).toHaveLength(count);
  return bytes;
};

/** A flat string: concatenated strings and slices refer to others. */
const text = (letter: string, length: number, n: number): string =>
  Buffer.from(`${n} `.padEnd(length, letter), 'utf16le').toString('utf16le');
const oneByte = (length: number, n: number): string => Buffer.from(`${n} `.padEnd(length, 'x')).toString('latin1');

test.each<[string, (n: number) => unknown, number]>([
  ['a short string', (n) => oneByte(30, n), 20_000],
  ['a long string of one byte each', (n) => oneByte(5_000, n), 2_000],
  ['a long string of two bytes each', (n) => text('日', 5_000, n), 2_000],
  ['an array of numbers', () => Array.from({ length: 500 }, (_, i) => i), 2_000],
  ['an array of fractions', () => Array.from({ length: 500 }, (_, i) => i + 0.5), 2_000],
  ['an array of strings', (n) => Array.from({ length: 50 }, (_, i) => oneByte(40, n * 50 + i)), 2_000],
  ['a map', (n) => new Map(Array.from({ length: 300 }, (_, i) => [oneByte(40, n * 300 + i), i])), 300],
  ['a set', () => new Set(Array.from({ length: 1_000 }, (_, i) => i)), 300],
  ['a large buffer', (n) => Buffer.allocUnsafeSlow(20_000).fill(n), 1_000],
  ['a small buffer', (n) => Buffer.allocUnsafeSlow(500).fill(n), 2_000],
  ['a row', (n) => ({ fid: n, name: oneByte(12, n), bio: oneByte(120, n), url: null, score: n / 7 }), 20_000],
])('%s takes about what is counted for it', async (_, make, count) => {
  const real = await growth(make, count);
  expect(memoryOf(make(1)) / real).toBeGreaterThan(0.5);
  expect(memoryOf(make(1)) / real).toBeLessThan(2);
});

test('null, undefined, numbers and booleans count as 0 bytes', () => {
  expect([null, undefined, 3, true].map(memoryOf)).toEqual([0, 0, 0, 0]);
  expect(memoryOf({ a: null, b: 1 })).toBe(memoryOf(new Set([null, 1])));
});
