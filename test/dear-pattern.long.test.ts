import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecondApp } from './support/app.js';
import { openStream, type StreamClient } from './support/event-stream.js';
import { type Network, startNetwork } from './support/network.js';
import { startReceiver } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(() => network.stop());

/** Searches without a match for it are the slowest: each character begins another hundred. */
const dearPattern = (index: number): string => `(?i)\\p{L}*a\\p{L}{${60 + (index % 60)}}\\p{N}${index}`;
/** Characters of which such patterns must try all. */
const DEAR_TEXT = 'ab'.repeat(512);

/** Streams and webhooks with four filters each. */
const [STREAMS, WEBHOOKS] = [400, 100];
const MOST_WAIT_MS = 200;
/** Casts, of which each is measured: other programs of the machine may hold up the reads during one. */
const ROUNDS = 4;

/** Sends a cast. @returns milliseconds of the longest read until it was matched with all filters */
const longestWait = async (round: number, told: StreamClient): Promise<number> => {
  let longest = 0;
  await seeded.send(seeded.carol.cast({ text: DEAR_TEXT.slice(round) }));
  while (told.events.length <= round) {
    const began = performance.now();
    const { status } = await network.get(`/v2/social/user/bulk/?fids=${FIDS.alice}`);
    expect(status).toBe(200);
    longest = Math.max(longest, performance.now() - began);
  }
  return longest;
};

test('two thousand filters with the dearest patterns hold up no other read', async () => {
  const receiver = await startReceiver((_, response) => void response.end());
  const streams: StreamClient[] = [];
  const apps = [{ 'x-api-key': network.apiKey }, (await createSecondApp(network)).headers];
  const subscriptionOf = (index: number) => {
    const filter = { text: dearPattern(index), embeds: dearPattern(index) };
    return { 'cast.created': filter, 'cast.deleted': filter };
  };
  const openOne = async (index: number): Promise<boolean> => {
    const query = new URLSearchParams({ subscription: JSON.stringify(subscriptionOf(index)) });
    const client = await openStream(`${network.url}/v2/social/stream/?${query}`, apps[index % 2]);
    if (client.status === 200) streams.push(client);
    return client.status === 200;
  };
  // All different: together almost as large as the budget allows (test/pattern-budget.test.ts).
  while (streams.length < STREAMS) {
    const some = Array.from({ length: 20 }, (_, index) => openOne(streams.length + index));
    expect(await Promise.all(some)).not.toContain(false);
  }
  for (let index = 0; index < WEBHOOKS; index += 1) {
    const body = { name: 'dear', url: `${receiver.url}/hook`, subscription: subscriptionOf(index) };
    const { status } = await network.send('POST', '/v2/social/webhook/', body, apps[index % 2]);
    expect(status).toBe(200);
  }
  const last = await openStream(`${network.url}/v2/social/stream/`, apps[0]);
  streams.push(last);

  // The first read of each kind loads and compiles what later ones use.
  await network.get(`/v2/social/user/bulk/?fids=${FIDS.alice}`);
  const before = process.memoryUsage().rss;
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) waits.push(await longestWait(round, last));
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
  const printed = waits.map((ms) => ms.toFixed(0)).join(', ');
  console.info(
    `${4 * (STREAMS + WEBHOOKS)} filters: the longest read with each cast took ${printed} ms, memory grew by ${grown.toFixed(0)} MB`,
  );
  expect(Math.min(...waits)).toBeLessThan(MOST_WAIT_MS);
  expect(grown).toBeLessThan(200);
  for (const client of streams) client.close();
  await receiver.stop();
}, 170_000);
