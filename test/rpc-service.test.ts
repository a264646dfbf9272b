import { Writable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { createLog } from '../src/log.js';
import { SHORT_CALLS } from './support/chain.js';
import { type Network, startNetwork } from './support/network.js';
import { closeEndpoints, errorOf, KEY, node, startEndpoint } from './support/rpc-endpoint.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let network: Network | undefined;
afterEach(async () => {
  await network?.stop();
  network = undefined;
  await closeEndpoints();
});

const TOKEN = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const metadata = (of: string) => `/v2/onchain/token/metadata?network=${of}&address=${TOKEN}`;

it('a service starts and is ready even if endpoints are down, and responds 500 in time to what needs them', async () => {
  const dead = await startEndpoint(node(8453));
  await dead.stop();
  const wrongChainEndpoint = await startEndpoint(node(1));
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const environment = { CASTELLAN_RPC_BASE: dead.url, CASTELLAN_RPC_OPTIMISM: wrongChainEndpoint.url };
  network = await startNetwork(environment, createLog('trace', stream as never), {
    timings: { chainCalls: SHORT_CALLS },
  });
  expect((await network.get('/health/ready')).status).toBe(200);

  const began = performance.now();
  const [base, optimism, arbitrum] = await Promise.all(
    ['base', 'optimism', 'arbitrum'].map((of) => network?.get(metadata(of))),
  );
  expect(performance.now() - began).toBeLessThan(14_000);
  expect([base?.status, base?.body.code]).toEqual([500, 'ChainUnavailable']);
  expect([optimism?.status, optimism?.body.code]).toEqual([500, 'ChainUnavailable']);
  const asked = network.app.services.networks.client('optimism').getBlockNumber();
  expect(await errorOf(asked)).toMatchObject({ kind: 'internal', code: 'WrongChain' });
  expect(arbitrum).toMatchObject({ status: 400, body: { property: 'network' } });
  expect(arbitrum?.body.message).toContain('CASTELLAN_RPC_ARBITRUM');

  const told = lines.filter((line) => line.includes('is on chain 1, not on 10'));
  expect(told).toHaveLength(1);
  const metrics = await network.app.services.metrics.registry.metrics();
  expect(metrics).toMatch(/castellan_rpc_duration_seconds_count\{network="base",outcome="unreachable"\} [1-9]/);
  expect(metrics).toContain('castellan_rpc_duration_seconds_count{network="optimism",outcome="wrong_chain"} 1');
  const shown = `${lines.join('')}${metrics}${JSON.stringify([base?.body, optimism?.body, arbitrum?.body])}`;
  expect(shown).not.toContain(KEY);
  // With its colon: the digits alone may stand in any number of the metrics.
  expect(shown).not.toContain(`:${dead.port}`);
});
