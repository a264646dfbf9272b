import type { Address } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prepareLocalChain } from '../src/cli/dev/chain.js';
import type { Output } from '../src/cli/terminal/output.js';
import type { LocalChain } from '../src/onchain/local/chain.js';
import { LOCAL_SUBSCRIPTIONS } from '../src/onchain/local/subscription.js';
import { LOCAL_STP_FACTORY } from '../src/onchain/stp/factory.js';
import { author, SAMPLE_SEED } from '../src/sample/author.js';
import { EXAMPLE_SUBSCRIBERS, EXAMPLE_SUBSCRIPTION_CONTRACT } from '../src/schema/example.js';
import { startChain, type TestChain } from './support/chain.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { sender, V1 } from './support/stp-contract.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let chain: TestChain;
let network: Network;
let seeded: Seeded;
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
  network = await startNetwork({}, undefined, { chain: chain.url });
  seeded = await seedBasics((items) => network.load(items));
  await prepare();
});
afterAll(async () => {
  await network.stop();
  await chain.stop();
});

const [harbor, watch] = LOCAL_SUBSCRIPTIONS.map(({ address }) => address.toLowerCase());

const list = async (path: string, fid: number) => {
  const { status, body, headers } = await network.get(`/v2/social/user/${path}/?fid=${fid}&subscription_provider=stp`);
  expect([status, headers.get('x-partial-networks')]).toEqual([200, null]);
  return body[path];
};

test('the first accounts own contracts and are subscribed, on the network that the chain stands in for', async () => {
  // FIDs of the seed begin with 1, in the order of the accounts.
  const [[{ subscriptions_created: created }], subscribed, subscribers] = [
    await list('subscriptions_created', FIDS.app),
    await list('subscribed_to', FIDS.app),
    await list('subscribers', FIDS.app),
  ];
  expect(created).toMatchObject([
    {
      contract_address: harbor,
      chain: 8453,
      protocol_version: 1,
      metadata: { title: 'Harbor Club', symbol: 'HARBOR', art_url: expect.stringMatching(/^data:image\/svg\+xml,/) },
      price: { period_duration_seconds: 2_592_000 },
      token: { symbol: 'ETH', erc20: false },
    },
  ]);
  expect(subscribed).toMatchObject([{ contract_address: watch, chain: 8453, creator: { fid: FIDS.alice } }]);
  const fids = subscribers.map(({ user }: { user: { fid: number } }) => user.fid);
  expect(fids.sort()).toEqual([FIDS.alice, FIDS.bob, FIDS.carol, FIDS.dan, FIDS.erin, FIDS.frank]);
  expect(await list('subscribed_to', FIDS.grace)).toMatchObject([{ contract_address: harbor }]);
  const addresses = [seeded.alice, seeded.grace].map(({ custody }) => custody.account.address);
  const { body } = await network.get(
    `/v2/stp/subscription_check/?chain_id=8453&contract_address=${harbor}&addresses=${addresses}`,
  );
  expect(addresses.map((address) => body[address].status)).toEqual([true, false]);
});

test('another start changes nothing', async () => {
  const block = await chain.public.getBlockNumber();
  await prepare();
  expect(await chain.public.getBlockNumber()).toBe(block);
});

test('contracts sell time in the native coin, as the public ones do', async () => {
  const send = sender(chain);
  const [buyer, contract] = [chain.account(4), harbor as Address];
  const { logs } = await send(
    contract,
    { abi: V1, functionName: 'mint', args: [10n ** 16n] },
    { from: buyer, value: 10n ** 16n },
  );
  expect(logs).toHaveLength(2);
  const state = { address: contract, abi: V1, functionName: 'subscriptionOf', args: [buyer.address] } as const;
  const [tokenId, , , expiresAt] = await chain.public.readContract(state);
  expect(Number(expiresAt)).toBeGreaterThan((await chain.now()) + 2 * 2_592_000);
  const to = chain.account(5).address;
  await send(contract, { abi: V1, functionName: 'transferFrom', args: [buyer.address, to, tokenId] }, { from: buyer });
  expect((await chain.public.readContract({ ...state, args: [to] }))[3]).toBe(expiresAt);
  expect((await chain.public.readContract(state))[0]).toBe(0n);
  const free = { abi: V1, functionName: 'mint', args: [10n ** 16n] };
  await expect(send(contract, free, { from: buyer })).rejects.toThrow('reverted');
  const grant = { abi: V1, functionName: 'grantTime', args: [[to], 5n] };
  await expect(send(contract, grant, { from: buyer })).rejects.toThrow('reverted');
});

test('the examples of the reference are these contracts and their subscribers', () => {
  expect(EXAMPLE_SUBSCRIPTION_CONTRACT).toBe(harbor);
  const custody = (fid: number) => author({ seed: SAMPLE_SEED, fid }).custody.account.address.toLowerCase();
  expect(EXAMPLE_SUBSCRIBERS).toEqual([custody(2), custody(9)]);
  const [{ subscribed, expired, owner }] = LOCAL_SUBSCRIPTIONS as [(typeof LOCAL_SUBSCRIPTIONS)[number]];
  expect([owner, subscribed.includes(1), expired.includes(8)]).toEqual([0, true, true]);
  expect(LOCAL_STP_FACTORY.address).toMatch(/^0x[0-9a-f]{40}$/);
});
