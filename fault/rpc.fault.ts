import { afterAll } from 'vitest';
import { startChain } from '../test/support/chain.js';
import { delay } from '../test/support/delay.js';
import { until } from '../test/support/hub-fixture.js';
import { startRpcProxy } from '../test/support/rpc-proxy.js';
import { testFault } from './provoke.js';

const LASTS_MS = 10_000;
const chain = await startChain({ chainId: 8453 });
const proxy = await startRpcProxy(chain.url);
afterAll(async () => {
  await proxy.stop();
  await chain.stop();
});

/** Waits until the service searches new blocks for trades. */
const isSearched = async (): Promise<void> => {
  proxy.forget();
  await chain.mine(5);
  await until(() => proxy.count('eth_getLogs') > 0);
};

testFault({
  title:
    'The RPC endpoint of a chain, which is searched for trades each second, is away for ten seconds, by turns silent',
  times: 6,
  plan: {
    environment: {
      CASTELLAN_RPC_BASE: proxy.url,
      CASTELLAN_TRADE_SECONDS: '1',
    },
  },
  provoke: async (world, n) => {
    const [person] = world.people;
    world.say((await person.verifyEthereum(person.wallet(n + 1))).item);
    await isSearched();
    proxy.decide = () => (n % 2 === 0 ? 'break' : 'wait');
    await delay(LASTS_MS);
    proxy.decide = () => 'pass';
    await isSearched();
  },
});
