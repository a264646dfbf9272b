import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
  await seeded.send(...Array.from({ length: 25 }, (_, index) => seeded.erin.cast({ text: `Cast ${index} 🍅` })));
});
afterAll(() => network.stop());

const FEED = `/v2/social/feed/user/casts/?fid=${FIDS.erin}&limit=25`;

const get = async (path: string, headers: Record<string, string> = {}, method: Dispatcher.HttpMethod = 'GET') => {
  const response = await request(`${network.url}${path}`, {
    method,
    headers: { 'x-api-key': network.apiKey, ...headers },
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  };
};
const accepting = (encodings: string) => ({ 'accept-encoding': encodings });

describe('a large response', () => {
  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ])('is the same with accept-encoding %s, in a fifth of the bytes', async (encodings, expected, decompress) => {
    const plain = await get(FEED);
    const { status, headers, bytes } = await get(FEED, accepting(encodings));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': expected,
      'content-length': String(bytes.length),
      'content-type': 'application/json; charset=utf-8',
      vary: 'x-api-key, api_key, authorization, origin, accept-encoding',
    });
    expect(decompress(bytes).equals(plain.bytes)).toBe(true);
    expect(bytes.length * 5).toBeLessThan(plain.bytes.length);
  });

  test.each(['', 'identity', 'deflate', 'br;q=0', 'zip\u00e9'])(
    'is not compressed with accept-encoding "%s"',
    async (encodings) => {
      const { headers, bytes } = await get(FEED, accepting(encodings));
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers.vary).toContain('accept-encoding');
      expect(JSON.parse(bytes.toString()).casts).toHaveLength(25);
    },
  );

  test('has an entity tag by which each client finds it unchanged, however it was sent', async () => {
    const plain = await get(FEED);
    const small = await get(FEED, accepting('br'));
    expect(small.headers.etag).toMatch(/^W\//);
    for (const { headers } of [plain, small]) {
      for (const encodings of ['br', 'identity']) {
        const again = await get(FEED, { ...accepting(encodings), 'if-none-match': String(headers.etag) });
        expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
        expect(again.headers['content-encoding']).toBeUndefined();
      }
    }
  });

  test('is compressed anew when it has changed', async () => {
    const first = await get(FEED, accepting('br'));
    await seeded.send(seeded.erin.cast({ text: 'One more' }));
    const second = await get(FEED, accepting('br'));
    expect(brotliDecompressSync(second.bytes).toString()).toContain('One more');
    expect(second.bytes.equals(first.bytes)).toBe(false);
  });
});

test('errors, small responses and HEAD are sent as they are; pages and documents are compressed', async () => {
  const small = await get(`/v2/social/user/bulk/?fids=${FIDS.erin}`, accepting('br'));
  expect(small.bytes.length).toBeLessThan(4096);
  const error = await get('/v2/social/user/bulk/?fids=x', accepting('br'));
  const head = await get(FEED, accepting('br'), 'HEAD');
  for (const { headers } of [small, error, head]) expect(headers['content-encoding']).toBeUndefined();
  expect(Number(head.headers['content-length'])).toBeGreaterThan(4096);
  for (const path of ['/openapi.json', '/docs/costs', '/docs/reference.js', `/v1/castsByFid?fid=${FIDS.erin}`]) {
    const { status, headers } = await get(path, accepting('gzip'));
    expect([path, status, headers['content-encoding']]).toEqual([path, 200, 'gzip']);
  }
});

test('nothing is compressed where that is switched off', async () => {
  const off = await startNetwork({ CASTELLAN_COMPRESSION: '0' });
  try {
    const response = await request(`${off.url}/openapi.json`, { headers: accepting('br') });
    await response.body.dump();
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers.vary).toBeUndefined();
  } finally {
    await off.stop();
  }
});
