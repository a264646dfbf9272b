import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress } from './compression.js';

test('a stored page is compressed once for each encoding, however many clients read it', async () => {
  const body = Buffer.from('{"casts":[]}'.repeat(1_000));
  const [first, second] = await Promise.all([compress(body, 'br'), compress(body, 'br')]);
  expect(second).toBe(first);
  expect(await compress(body, 'br')).toBe(first);
  const other = await compress(body, 'gzip');
  expect(gunzipSync(other).equals(brotliDecompressSync(first))).toBe(true);
  expect(await compress(Buffer.from(body), 'br')).not.toBe(first);
});
