import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Cache } from '../src/cache/cache.js';
import type { Entry } from '../src/cache/entry.js';
import { memoryOf } from '../src/cache/memory.js';
import { RENDERED_SIZE } from '../src/cache/read-cache.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
  await seedBasics((items) => network.load(items));
});
afterAll(() => network.stop());

test('with the JSON that views keep in them, accounts and casts take what the cache counts', async () => {
  const stored: { entry: Entry; bytes: number }[] = [];
  const { set } = Cache.prototype;
  const watched = vi.spyOn(Cache.prototype, 'set').mockImplementation(function (this: Cache, key, entry) {
    stored.push({ entry, bytes: memoryOf(entry.value) });
    set.call(this, key, entry);
  });
  const fids = Object.values(FIDS).join();
  const pages = [`user/bulk/?fids=${fids}`, `feed/?feed_type=filter&filter_type=fids&fids=${fids}`, 'channel/list/'];
  for (const page of pages) expect(await network.get(`/v2/social/${page}`)).toMatchObject({ status: 200 });
  watched.mockRestore();
  const before = stored.reduce((sum, { bytes }) => sum + bytes, 0);
  const after = stored.reduce((sum, { entry }) => sum + memoryOf(entry.value), 0);
  expect(after).toBeGreaterThan(1.1 * before);
  expect(after).toBeLessThan(RENDERED_SIZE * before);
});
