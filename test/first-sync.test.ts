import { afterAll, expect, test } from 'vitest';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration } from './support/hub-fixture.js';
import { type Network, startNetwork } from './support/network.js';

const hub = new FakeHub([1]);
let network: Network | undefined;
afterAll(async () => {
  await network?.stop();
  hub.stop();
});

const ACCOUNTS = 5;

test('a first sync with the hub is told in readiness and in the metrics, until it is done', async () => {
  for (const account of authors(...Array.from({ length: ACCOUNTS }, (_, index) => index + 1)))
    hub.say(...(await registration(account)), account.cast({ text: 'Hello' }));
  let release: () => void = () => undefined;
  hub.gates.getAllCastMessagesByFid = new Promise<void>((resolve) => {
    release = resolve;
  });
  await hub.start();
  const started = await startNetwork({ CASTELLAN_HUB_URL: `grpc://${hub.address.address}` });
  network = started;
  const ingest = async () => (await started.get('/health/ready')).body.checks.ingest;
  const accounts = async () => {
    const text = await started.app.services.metrics.registry.getSingleMetricAsString('castellan_hub_sync_accounts');
    return Object.fromEntries([...text.matchAll(/state="(\w+)"\} (\d+)/g)].map(([, state, n]) => [state, Number(n)]));
  };
  await expect.poll(async () => (await ingest()).note, { timeout: 10_000 }).toBe('syncing 0%');
  await expect.poll(accounts).toEqual({ done: 0, due: ACCOUNTS });
  release();
  await expect.poll(ingest, { timeout: 10_000 }).toEqual({ ok: true });
  expect(await accounts()).toEqual({});
  const build = await started.app.services.metrics.registry.getSingleMetricAsString('castellan_build_info');
  expect(build).toMatch(/version="\d+\.\d+\.\d+",node="\d+/);
});
