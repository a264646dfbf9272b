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

const FILTERS = 2_000;
const MOST_WAIT_MS = 200;
/** Casts, of which each is measured: other programs of the machine may hold up the reads during one. */
const ROUNDS = 8;

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
  const openOne = (index: number, pattern: string) => {
    const filter = { 'cast.created': { text: pattern, embeds: pattern } };
    const url = `${network.url}/v2/social/stream/?${new URLSearchParams({ subscription: JSON.stringify(filter) })}`;
    return openStream(url, apps[index % 2]);
  };
  let refused = 0;
  for (let index = 0; index < FILTERS - 100; index += 1) {
    let client = await openOne(index, dearPattern(index));
    if (client.status !== 200) {
      refused += 1;
      client.close();
      client = await openOne(index, dearPattern(index % 100));
    }
    expect(client.status).toBe(200);
    streams.push(client);
  }
  expect(refused).toBeGreaterThan(1_000);
  for (let index = 0; index < 100; index += 1) {
    const subscription = { 'cast.created': { text: dearPattern(index), embeds: dearPattern(index) } };
    const body = { name: 'dear', url: `${receiver.url}/hook`, subscription };
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
    `${FILTERS} filters: the longest read with each cast took ${printed} ms, memory grew by ${grown.toFixed(0)} MB`,
  );
  expect(Math.min(...waits)).toBeLessThan(MOST_WAIT_MS);
  expect(grown).toBeLessThan(200);
  for (const client of streams) client.close();
  await receiver.stop();
}, 170_000);
