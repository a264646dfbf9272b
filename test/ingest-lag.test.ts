import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration } from './support/hub-fixture.js';
import { type Network, startNetwork } from './support/network.js';

let hub: FakeHub;
let network: Network;
const [alice] = authors(41);

beforeAll(async () => {
  hub = new FakeHub([1]);
  await hub.start();
  hub.say(...(await registration(alice)));
  network = await startNetwork({ CASTELLAN_HUB_URL: hub.address.address });
});
afterAll(async () => {
  await network?.stop();
  hub.stop();
});

/** @returns seconds; undefined before any event */
const lag = async (): Promise<number | undefined> => {
  const text = await network.app.services.metrics.registry.metrics();
  const value = /^castellan_ingest_lag_seconds\{source="hub-1"\} (\S+)$/m.exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
};

test('the lag grows while the hub cannot be reached', async () => {
  await expect.poll(lag, { timeout: 30_000 }).toBeDefined();
  hub.stop();
  const before = (await lag()) as number;
  await expect.poll(lag, { timeout: 30_000 }).toBeGreaterThan(before + 1);
}, 90_000);
