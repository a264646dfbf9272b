import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Tag } from '../db/statement.js';
import { ALREADY_EXPIRED, Cache, type CacheKey } from './cache.js';
import type { Entry } from './entry.js';
import { memoryOf } from './memory.js';
import { TagClock } from './tag-clock.js';

const NOW = 1_000;
/** Bytes that an entry takes in addition to key, value and tags. */
const ENTRY_OVERHEAD_BYTES = 300;

let clock: TagClock;
let isFresh: boolean;
beforeEach(() => {
  clock = new TagClock(2 ** 10);
  isFresh = true;
});

const open = (bytes = 1_000_000): Cache => new Cache(clock, () => isFresh, bytes);

const entry = (value: unknown, more: Partial<Entry> & { readonly of?: readonly Tag[] } = {}): Entry => {
  const { of = [], ...rest } = more;
  const forever = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  return { value, tags: Float64Array.from(of), ...forever, validAt: clock.now(), usedAt: 0, ...rest };
};

/** A load that the test completes when it wants to. */
const openLoad = () => {
  const asked: (readonly CacheKey[])[] = [];
  const finish: ((entries: ReadonlyMap<CacheKey, Entry>) => void)[] = [];
  const fail: ((error: Error) => void)[] = [];
  const load = (keys: readonly CacheKey[]) =>
    new Promise<ReadonlyMap<CacheKey, Entry>>((resolve, reject) => {
      asked.push(keys);
      finish.push(resolve);
      fail.push(reject);
    });
  return { asked, finish, fail, load };
};

const cached = (cache: Cache, key: CacheKey, now = NOW): unknown => cache.get(key, now)?.value;
const valuesOf = (entries: ReadonlyMap<CacheKey, Entry>) =>
  new Map([...entries].map(([key, { value }]) => [key, value]));

test('what is stored is found, also that nothing is there, until one of its tags is invalidated', () => {
  const cache = open();
  cache.set('a', entry('A', { of: [1, 2] }));
  cache.set(2, entry(undefined, { of: [3] }));
  expect(cached(cache, 'a')).toBe('A');
  expect(cache.get(2, NOW)).toMatchObject({ value: undefined });
  expect(cache.get('2', NOW)).toBeUndefined();
  clock.invalidate([9]);
  expect(cached(cache, 'a')).toBe('A');
  clock.invalidate([2]);
  expect(cache.get('a', NOW)).toBeUndefined();
  expect(cache.get(2, NOW)).toBeDefined();
  clock.invalidateAll();
  expect(cache.get(2, NOW)).toBeUndefined();
});

test('the least recently used entries make room, and the bound holds in bytes', () => {
  const value = 'v'.repeat(1_000);
  const size = ENTRY_OVERHEAD_BYTES + memoryOf('key 0') + memoryOf(value) + 8;
  const cache = open(3 * size);
  for (const n of [0, 1, 2]) cache.set(`key ${n}`, entry(value, { of: [1] }));
  expect(cached(cache, 'key 0')).toBe(value);
  cache.set('key 3', entry(value, { of: [1] }));
  expect([0, 1, 2, 3].filter((n) => cached(cache, `key ${n}`) !== undefined)).toEqual([0, 2, 3]);
  // Tags count, too: one entry with many tags evicts all three.
  cache.set('tags', entry('', { of: Array.from({ length: (2 * size) / 8 }, (_, tag) => tag) }));
  expect([0, 2, 3].filter((n) => cached(cache, `key ${n}`) !== undefined)).toHaveLength(0);
  expect(cached(cache, 'tags')).toBe('');
});

test('an entry larger than the cache is not stored, nor the older one under its key', () => {
  const cache = open(2_000);
  cache.set('a', entry('small'));
  cache.set('b', entry('small'));
  cache.set('a', entry('x'.repeat(3_000)));
  expect(cached(cache, 'a')).toBeUndefined();
  expect(cached(cache, 'b')).toBe('small');
});

test('an entry is valid from its first millisecond until its end; one that is never valid is not stored', () => {
  const cache = open();
  cache.set('a', entry('A', { from: 1_000, until: 2_000 }));
  expect([999, 1_000, 1_999, 2_000].map((now) => cached(cache, 'a', now))).toEqual([undefined, 'A', 'A', undefined]);
  // After the clock is set forward again, the entry is valid again.
  expect(cached(cache, 'a', 1_500)).toBe('A');
  cache.set('b', entry('B'));
  cache.set('b', entry('ended as it was made', { from: 1_000, until: 1_000 }));
  expect(cached(cache, 'b')).toBe('B');
  cache.set('c', entry('C', { until: ALREADY_EXPIRED }));
  expect(cache.get('c', Number.NEGATIVE_INFINITY)).toBeUndefined();
});

test('while it is not trusted nothing is read, stored or joined', async () => {
  const cache = open();
  cache.set('a', entry('A'));
  isFresh = false;
  expect(cache.get('a', NOW)).toBeUndefined();
  cache.set('b', entry('B'));
  isFresh = true;
  expect(cached(cache, 'a')).toBe('A');
  expect(cache.get('b', NOW)).toBeUndefined();

  const { asked, finish, load } = openLoad();
  const trusting = cache.load(['c'], NOW, load);
  isFresh = false;
  const doubting = cache.load(['c'], NOW, load);
  expect(asked).toEqual([['c'], ['c']]);
  finish[1]?.(new Map([['c', entry('second')]]));
  finish[0]?.(new Map([['c', entry('first')]]));
  expect(valuesOf(await doubting)).toEqual(new Map([['c', 'second']]));
  expect(valuesOf(await trusting)).toEqual(new Map([['c', 'first']]));
  isFresh = true;
  expect(cache.get('c', NOW)).toBeUndefined();
});

test('with no bytes nothing is stored, and loads at one time are merged all the same', async () => {
  const cache = open(0);
  cache.set('a', entry('A'));
  expect(cache.get('a', NOW)).toBeUndefined();
  const { asked, finish, load } = openLoad();
  const both = Promise.all([cache.load(['a'], NOW, load), cache.load(['a'], NOW, load)]);
  expect(asked).toEqual([['a']]);
  finish[0]?.(new Map([['a', entry('A')]]));
  expect((await both).map(valuesOf)).toEqual([new Map([['a', 'A']]), new Map([['a', 'A']])]);
  void cache.load(['a'], NOW, load);
  expect(asked).toHaveLength(2);
});

test('keys in the middle of the load of another caller are not loaded twice; the others are, side by side', async () => {
  const cache = open();
  const { asked, finish, load } = openLoad();
  const first = cache.load(['a', 'b', 'c'], NOW, load);
  const second = cache.load(['z', 'b', 'y'], NOW, load);
  expect(asked).toEqual([
    ['a', 'b', 'c'],
    ['z', 'y'],
  ]);
  finish[1]?.(new Map(['z', 'y'].map((key) => [key, entry(key)])));
  finish[0]?.(new Map(['a', 'b', 'c'].map((key) => [key, entry(key)])));
  expect([...(await first).keys()].sort()).toEqual(['a', 'b', 'c']);
  expect([...(await second).keys()].sort()).toEqual(['b', 'y', 'z']);
  expect(['a', 'b', 'c', 'y', 'z'].map((key) => cached(cache, key))).toEqual(['a', 'b', 'c', 'y', 'z']);
});

test('a load invalidated while running serves only callers from before the invalidation', async () => {
  const cache = open();
  const { asked, finish, load } = openLoad();
  const old = entry('old', { of: [7] });
  const before = cache.load(['a'], NOW, load);
  clock.invalidate([7]);
  const after = cache.load(['a'], NOW, load);
  expect(asked).toHaveLength(1);
  finish[0]?.(new Map([['a', old]]));
  expect(valuesOf(await before)).toEqual(new Map([['a', 'old']]));
  expect(cache.get('a', NOW)).toBeUndefined();
  await turn();
  expect(asked).toHaveLength(2);
  finish[1]?.(new Map([['a', entry('new', { of: [7] })]]));
  expect(valuesOf(await after)).toEqual(new Map([['a', 'new']]));
});

test('a failed load stores nothing, fails those who joined it, and frees its place', async () => {
  const cache = open();
  const { asked, fail, finish, load } = openLoad();
  const failing = [cache.load(['a', 'b'], NOW, load), cache.load(['b', 'c'], NOW, load)];
  const results = Promise.allSettled(failing);
  fail[0]?.(new Error('away'));
  finish[1]?.(new Map([['c', entry('C')]]));
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(cache.get('a', NOW)).toBeUndefined();
  expect(cached(cache, 'c')).toBe('C');
  const again = cache.load(['a', 'b'], NOW, load);
  expect(asked.at(-1)).toEqual(['a', 'b']);
  finish[2]?.(new Map(['a', 'b'].map((key) => [key, entry(key)])));
  expect([...(await again).keys()]).toEqual(['a', 'b']);
  expect(cached(cache, 'a')).toBe('a');
});

test('a load that throws before it waits for anything frees its place too', async () => {
  const cache = open();
  const throwing = async (): Promise<never> => {
    throw new Error('no');
  };
  await expect(cache.load(['a'], NOW, throwing)).rejects.toThrow('no');
  expect(valuesOf(await cache.load(['a'], NOW, async () => new Map([['a', entry('A')]])))).toEqual(
    new Map([['a', 'A']]),
  );
});
