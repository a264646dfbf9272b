import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSecondService } from './support/app.js';
import { openStream } from './support/event-stream.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(() => network.stop());

// Processes that share a database need a server.
test.runIf(process.env.TEST_DATABASE_URL)('an event shows what another process has just written', async () => {
  const second = await startSecondService(network);
  const stream = await openStream(`${second.url}/v2/social/stream/?types=user.updated`, {
    'x-api-key': network.apiKey,
  });
  const names = Array.from({ length: 20 }, (_, index) => `Carol ${index}`);
  for (const [index, name] of names.entries()) {
    // The second service has the old name in its cache.
    await second.get(`/v2/social/user/bulk/?fids=${FIDS.carol}`);
    await seeded.send(seeded.carol.userData(2, name));
    await expect.poll(() => stream.events.length, { interval: 10 }).toBe(index + 1);
  }
  expect(stream.events.map(({ data }) => data.display_name)).toEqual(names);
  stream.close();
  await second.stop();
});
