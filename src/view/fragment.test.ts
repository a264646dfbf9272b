import { expect, test } from 'vitest';
import { FragmentCache } from './fragment.js';

test('fragments are kept as UTF-8 until the bound in bytes is reached, the least used go first', () => {
  const cache = new FragmentCache(1_500);
  expect(cache.set('a', '"né🍅"').toString()).toBe('"né🍅"');
  cache.set('b', '"b"');
  cache.set('c', '"c"');
  expect(cache.get('a')?.toString()).toBe('"né🍅"');
  cache.set('d', JSON.stringify('d'.repeat(400)));
  expect(cache.get('b')).toBeUndefined();
  expect(cache.get('a')).toBeDefined();
  cache.set('huge', JSON.stringify('h'.repeat(2_000)));
  expect(cache.get('huge')).toBeUndefined();
});

test('a cache of 0 bytes renders and keeps nothing', () => {
  const cache = new FragmentCache(0);
  expect(cache.set('a', '1').toString()).toBe('1');
  expect(cache.get('a')).toBeUndefined();
});
