import { type Address, bytesToHex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startChain, type TestChain } from '../../../test/support/chain.js';
import { type Network, startNetwork } from '../../../test/support/network.js';
import {
  inAnHour,
  REGISTRY,
  registerAccount,
  requestedKey,
  signAdd,
  signTransfer,
} from '../../../test/support/registry.js';
import { FIDS, type Seeded, seedBasics } from '../../../test/support/seed.js';
import type { LocalChain } from '../../onchain/local/chain.js';
import type { Output } from '../terminal/output.js';
import { prepareLocalChain } from './chain.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Fid of the development app, which the counter must not reach. */
const HIGHEST_FID = 2_147_483_647;
const APP_ADDRESS: Address = '0x2222222222222222222222222222222222222222';

let chain: TestChain;
let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  [chain, network] = await Promise.all([startChain(), startNetwork()]);
  seeded = await seedBasics((items) => network.load(items));
  const custodies: readonly (readonly [number, Address | null])[] = [
    [HIGHEST_FID, APP_ADDRESS],
    [20, zeroAddress],
    [21, APP_ADDRESS],
    [22, null],
  ];
  for (const [fid, custody] of custodies) {
    const address = custody && Buffer.from(custody.slice(2), 'hex');
    await network.sql('insert into account (fid, custody_address) values ($1, $2)', [fid, address]);
  }
});
afterAll(() => Promise.all([chain.stop(), network.stop()]));

const notes: string[] = [];
const output = { note: (text: string) => void notes.push(text) } as Output;
const prepare = () => {
  const local: LocalChain = {
    url: async () => chain.url,
    origin: async () => ({ kind: 'new' }),
    stop: () => Promise.resolve(),
  };
  return prepareLocalChain(local, network.app, network.config, output);
};

const { idRegistry, keyGateway, keyRegistry } = REGISTRY;
const custodyOf = (fid: number) =>
  chain.public.readContract({ ...idRegistry, functionName: 'custodyOf', args: [BigInt(fid)] });

test('accounts of the database own their fids on the local chain, and act there', async () => {
  expect(await prepare()).toMatchObject({ url: chain.url, chainId: 31_337 });
  const [alice, app] = [seeded.alice.custody.account, seeded.app.custody.account];
  expect(await custodyOf(FIDS.alice)).toBe(alice.address);
  expect(await Promise.all([20, 21, 22, HIGHEST_FID].map(custodyOf))).toEqual([
    zeroAddress,
    APP_ADDRESS,
    zeroAddress,
    zeroAddress,
  ]);
  const recovery = await chain.public.readContract({
    ...idRegistry,
    functionName: 'recoveryOf',
    args: [BigInt(FIDS.alice)],
  });
  const [stored] = await network.sql<{ recovery: Buffer }>(
    'select recovery_address as recovery from account where fid = $1',
    [FIDS.alice],
  );
  expect(recovery.toLowerCase()).toBe(bytesToHex(stored?.recovery as Buffer));

  const deadline = await inAnHour(chain);
  const key = await requestedKey(generatePrivateKey(), { fid: BigInt(FIDS.app), custody: app }, deadline);
  const sig = await signAdd(alice, { ...key, nonce: 0n, deadline });
  const account = chain.account(0);
  const args = [alice.address, key.keyType, key.key, key.metadataType, key.metadata, deadline, sig] as const;
  await chain.receipt(chain.wallet.writeContract({ ...keyGateway, functionName: 'addFor', args, account }));
  const keys = await chain.public.readContract({
    ...keyRegistry,
    functionName: 'keysOf',
    args: [BigInt(FIDS.alice), 1],
  });
  expect(keys).toEqual([key.key]);
  expect(await registerAccount(chain, privateKeyToAccount(generatePrivateKey()))).toBe(23n);
  expect(notes).toEqual([]);
});

test('a transfer on the local chain stays at the next start, which sends nothing', async () => {
  const [bob, to] = [seeded.bob.custody.account, privateKeyToAccount(generatePrivateKey())];
  const deadline = await inAnHour(chain);
  const message = { fid: BigInt(FIDS.bob), to: to.address, nonce: 0n, deadline };
  const [from, taken] = [await signTransfer(bob, message), await signTransfer(to, message)];
  const args = [bob.address, to.address, deadline, from, deadline, taken] as const;
  const call = { ...idRegistry, functionName: 'transferFor', args, account: chain.account(0) } as const;
  await chain.receipt(chain.wallet.writeContract(call));
  const block = await chain.public.getBlockNumber();
  await prepare();
  expect(await custodyOf(FIDS.bob)).toBe(to.address);
  expect(await chain.public.getBlockNumber()).toBe(block);
});
