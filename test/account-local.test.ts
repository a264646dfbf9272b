import { bytesToHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localClient } from '../src/onchain/local/chain.js';
import { installRegistries, registerLocalAccounts } from '../src/onchain/local/registry.js';
import { newPerson } from './support/account.js';
import { startChain, type TestChain } from './support/chain.js';
import { type Network, startNetwork } from './support/network.js';
import { REGISTRY, registerAccount } from './support/registry.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let chain: TestChain;
let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  chain = await startChain();
  const client = localClient(chain.url);
  await installRegistries(client);
  network = await startNetwork({}, undefined, { chain: chain.url });
  seeded = await seedBasics((items) => network.load(items));
  const custody = bytesToHex(seeded.alice.custody.address);
  await registerLocalAccounts(client, [{ fid: FIDS.alice, custody, recovery: custody }], 1000);
});
afterAll(async () => {
  await network.stop();
  await chain.stop();
});

const eventsOf = async (fid: number, type: string) =>
  (await network.get(`/v1/onChainEventsByFid?fid=${fid}&event_type=EVENT_TYPE_${type}`)).body.events;

test('what a program does at the contracts of the local chain is stored as a hub would bring it', async () => {
  const person = newPerson();
  const fid = Number(await registerAccount(chain, person));
  expect(fid).toBe(1001);
  const price = await chain.public.readContract({ ...REGISTRY.storageRegistry, functionName: 'price', args: [2n] });
  const rent = {
    ...REGISTRY.storageRegistry,
    functionName: 'rent',
    args: [BigInt(FIDS.alice), 2n],
    value: price,
  } as const;
  await chain.receipt(chain.wallet.writeContract({ ...rent, account: chain.account(0) }));
  const path = `/v2/social/user/custody-address/?custody_address=${person.address}`;
  await expect.poll(async () => (await network.get(path)).body.user?.fid, { timeout: 10_000 }).toBe(fid);
  await expect.poll(async () => (await eventsOf(FIDS.alice, 'STORAGE_RENT')).length, { timeout: 10_000 }).toBe(2);
  const [registration] = await eventsOf(fid, 'ID_REGISTER');
  expect(registration).toMatchObject({
    chainId: 10,
    idRegisterEventBody: { eventType: 'ID_REGISTER_EVENT_TYPE_REGISTER' },
  });
  // The account of the seed was put on the chain by the owner of the contracts; it is not registered twice.
  expect(await eventsOf(FIDS.alice, 'ID_REGISTER')).toHaveLength(1);
});
