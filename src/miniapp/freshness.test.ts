import { expect, test } from 'vitest';
import { freshSeconds } from './freshness.js';

test.each([
  [{}, 60],
  [{ 'cache-control': 'max-age=5' }, 60],
  [{ 'cache-control': 'max-age=600' }, 600],
  [{ 'cache-control': 'public, max-age="600"' }, 600],
  [{ 'cache-control': 'max-age=600, s-maxage=900' }, 900],
  [{ 'cache-control': 'max-age=600', age: '200' }, 400],
  [{ 'cache-control': 'max-age=86400' }, 3_600],
  [{ 'cache-control': 'no-store, max-age=600' }, 60],
  [{ 'cache-control': 'no-cache' }, 60],
  [{ 'cache-control': 'max-age=nonsense' }, 60],
  [{ 'cache-control': 'max-age=99999999999999999999' }, 60],
])('%j is kept for %i s', (headers, seconds) => {
  expect(freshSeconds(headers as Record<string, string>)).toBe(seconds);
});
