import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldMs, MOST_GROWTH, MOST_HELD_MS } from './support/held-loop.js';
import { type HostileDocument, hostileDocuments } from './support/hostile-document.js';
import { type Network, startNetwork } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';

const documents = hostileDocuments();
let network: Network;
let server: Receiver;

beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  server = await startReceiver(({ path }, response) => {
    const document = documents[Number(/^\/(\d+)/.exec(path)?.[1])] as HostileDocument;
    const { type, body } = path.includes('linked') && document.linked !== undefined ? document.linked : document;
    response.writeHead(200, { 'content-type': type }).end(body);
  });
});
afterAll(async () => {
  await network.stop();
  await server.stop();
});

/** Has the service read a document; the response is checked against the contract. */
const read = async (index: number, turn: string): Promise<void> => {
  const url = `${server.url}/${index}/?${turn}`;
  const { status, body } = await network.get(`/v2/social/cast/embed/crawl/?url=${encodeURIComponent(url)}`);
  expect({ name: documents[index]?.name, status }).toEqual({ name: documents[index]?.name, status: 200 });
  expect(body.metadata._status).toMatch(/^(RESOLVED|UNREADABLE)$/);
};

/** Has each document read. @returns those that held the loop, whatever else the machine did */
const readAll = async (pass: number): Promise<string[]> => {
  const holding: string[] = [];
  for (const [index, { name }] of documents.entries()) {
    const held = await heldMs((attempt) => read(index, `${pass}-${attempt}`));
    if (held > MOST_HELD_MS) holding.push(`${name}: ${held} ms`);
  }
  return holding;
};

test('no document of a stranger holds the loop, takes memory, or changes what all objects have', async () => {
  expect(documents.length).toBeGreaterThanOrEqual(200);
  const members = Object.getOwnPropertyNames(Object.prototype);
  expect(await readAll(0)).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(members);
  // The first pass has brought buffers and caches to their size.
  const before = process.memoryUsage().rss;
  expect(await readAll(1)).toEqual([]);
  expect(process.memoryUsage().rss - before).toBeLessThan(MOST_GROWTH);
}, 600_000);
