import { expect, test } from 'vitest';
import type { OutboundClient } from '../delivery/outbound.js';
import { createPageFetch } from './page-fetch.js';

/** A client for which all names lead to one network. */
const outboundTo = (addressOf: (n: number) => string): OutboundClient => {
  let calls = 0;
  return {
    allowLoopback: false,
    request: async ({ admit }) => {
      const address = addressOf(calls++);
      await admit?.([{ address, family: address.includes(':') ? 6 : 4 }]);
      return { status: 200, headers: {}, body: Buffer.alloc(0) };
    },
  };
};

test.each([
  ['one address', () => '203.0.113.7'],
  ['one IPv6 network', (n: number) => `2001:db8:1:2::${n + 1}`],
])('names that lead to %s share its four requests a second', async (_, addressOf) => {
  const now = 1_000_000;
  const fetchPage = createPageFetch({ outbound: outboundTo(addressOf), clock: () => now });
  const request = { deadline: now + 600, maxBytes: 1, cutsBody: true, maxRedirects: 0 };
  const urls = Array.from({ length: 8 }, (_, n) => new URL(`https://name${n}.example/`));
  const results = await Promise.allSettled(urls.map((url) => fetchPage({ url, ...request })));
  const statuses = results.map((result) =>
    result.status === 'fulfilled' ? result.value.status : (result.reason as { reason: string }).reason,
  );
  // At 0, 250 and 500 ms; the others would be later than the deadline.
  expect(statuses).toEqual([200, 200, 200, 'timeout', 'timeout', 'timeout', 'timeout', 'timeout']);
});

test('names that lead to different addresses do not wait for each other', async () => {
  const fetchPage = createPageFetch({ outbound: outboundTo((n) => `203.0.113.${n}`), clock: () => 0 });
  const urls = Array.from({ length: 8 }, (_, n) => new URL(`https://name${n}.example/`));
  const request = { deadline: 1, maxBytes: 1, cutsBody: true, maxRedirects: 0 };
  expect(await Promise.all(urls.map((url) => fetchPage({ url, ...request })))).toHaveLength(8);
});
