import { expect, test } from 'vitest';
import { startCampaignNetwork, startHost } from './support/campaign.js';

test('a host that never answers a campaign does not hold up the stop', async () => {
  const host = await startHost(() => undefined);
  const world = await startCampaignNetwork();
  let tookMs = Number.POSITIVE_INFINITY;
  try {
    const users = Array.from({ length: 101 }, (_, n) => [n + 1, `t${n}`] as const);
    await world.storeTokens(500, `${host.url}/notify`, users);
    expect(await world.publish()).toMatchObject({ status: 202 });
    await expect.poll(() => host.heard.length).toBe(2);
  } finally {
    const began = performance.now();
    await world.stop();
    tookMs = performance.now() - began;
    await host.stop();
  }
  expect(tookMs).toBeLessThan(8_000);
});
