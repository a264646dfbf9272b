import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prepareLocalChain } from '../src/cli/dev/chain.js';
import type { Output } from '../src/cli/terminal/output.js';
import type { LocalChain } from '../src/onchain/local/chain.js';
import { LOCAL_MARKET } from '../src/onchain/local/market.js';
import { LOCAL_KNOWN_TOKENS } from '../src/onchain/local/token.js';
import { startChain, type TestChain } from './support/chain.js';
import { type Network, startNetwork } from './support/network.js';
import { seedBasics } from './support/seed.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let chain: TestChain;
let network: Network;
const output = { note: () => undefined } as unknown as Output;
const prepare = () => {
  const local: LocalChain = {
    url: async () => chain.url,
    origin: async () => ({ kind: 'new' }),
    stop: () => Promise.resolve(),
  };
  return prepareLocalChain(local, network.app, network.config, output);
};
beforeAll(async () => {
  chain = await startChain();
  network = await startNetwork({ CASTELLAN_TRADE_SECONDS: '1' }, undefined, { chain: chain.url });
  // The first start knows no accounts; those of the second one have no coins on the chain.
  await prepare();
  const seeded = await seedBasics((items) => network.load(items));
  for (const who of [seeded.bob, seeded.carol, seeded.dan]) {
    await seeded.send(await who.verifyEthereum(who.wallet(1)));
  }
  await prepare();
});
afterAll(async () => {
  await network.stop();
  await chain.stop();
});

const [dollar, gold] = (LOCAL_KNOWN_TOKENS.lists[0] ?? []).map(({ address }) => address);

const read = async (path: string) => {
  const { status, body } = await network.get(`/v2/social/fungible/${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

test('the first accounts traded on the market of the local chain, which stands in for base', async () => {
  await vi.waitFor(async () => expect((await read(`trades/?network=base&address=${gold}`)).trades).toHaveLength(3), {
    timeout: 30_000,
    interval: 200,
  });
  const { trades } = await read(`trades/?network=base&address=${gold}`);
  expect(trades[0]).toMatchObject({
    trader: { object: 'user_dehydrated' },
    pool: { object: 'pool', address: LOCAL_MARKET.toLowerCase() },
    transaction: { network: { name: 'base' } },
  });
  const { trending } = await read('trending/?network=base');
  expect(trending.map(({ fungible }: { fungible: { symbol: string } }) => fungible.symbol).sort()).toEqual([
    'TGOLD',
    'TUSD',
  ]);
  expect((await read(`trades/?network=base&address=${dollar}`)).trades).toHaveLength(3);
});

test('an idle local chain is not behind', async () => {
  await network.sql("update trade_search set high_at = now() - interval '1 hour'");
  const path = '/v2/social/fungible/trending/?network=base&time_window=1h';
  expect((await network.get(path)).headers.get('x-partial-networks')).toBeNull();
});

test('another start does not trade again, but one after a quiet day does', async () => {
  const block = await chain.public.getBlockNumber();
  await prepare();
  expect(await chain.public.getBlockNumber()).toBe(block);
  await chain.test.increaseTime({ seconds: 86_400 });
  await chain.mine();
  await prepare();
  expect(await chain.public.getBlockNumber()).toBeGreaterThan(block + 3n);
});
