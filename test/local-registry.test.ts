import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, encodeFunctionData, getAddress, numberToHex, parseEventLogs, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { localClient } from '../src/onchain/local/chain.js';
import { installRegistries, type RegistryAccount, registerLocalAccounts } from '../src/onchain/local/registry.js';
import { LOCAL_TOKEN_DEPLOYER } from '../src/onchain/local/token.js';
import { startChain, type TestChain } from './support/chain.js';
import { fidOf, REGISTRY, registerAccount, sendFrom } from './support/registry.js';

vi.setConfig({ testTimeout: 60_000 });

const start = async (stateFile?: string): Promise<TestChain> => {
  const chain = await startChain({ ...(stateFile && { stateFile }) });
  onTestFinished(() => chain.stop());
  return chain;
};

const addressAt = (index: number): Address => getAddress(numberToHex(0xabc_000_000 + index, { size: 20 }));
const RECOVERY = addressAt(0);
const accountAt = (fid: number): RegistryAccount => ({ fid, custody: addressAt(fid), recovery: RECOVERY });
const accountsTo = (count: number): RegistryAccount[] =>
  Array.from({ length: count }, (_, index) => accountAt(index + 1));

const { idRegistry } = REGISTRY;
const custodyOf = (chain: TestChain, fid: number) =>
  chain.public.readContract({ ...idRegistry, functionName: 'custodyOf', args: [BigInt(fid)] });
const counterOf = (chain: TestChain) => chain.public.readContract({ ...idRegistry, functionName: 'idCounter' });

test('accounts of the database are registered once, and new ones get the next fid', async () => {
  const chain = await start();
  const client = localClient(chain.url);
  await installRegistries(client);
  const began = performance.now();
  await registerLocalAccounts(client, accountsTo(300), 300);
  // It takes about 200 ms; the limit leaves room for a busy machine.
  expect(performance.now() - began).toBeLessThan(5000);
  for (const fid of [1, 150, 151, 300]) expect(await custodyOf(chain, fid)).toBe(addressAt(fid));
  expect(await fidOf(chain, addressAt(300))).toBe(300n);
  expect(await chain.public.readContract({ ...idRegistry, functionName: 'recoveryOf', args: [7n] })).toBe(RECOVERY);
  const logs = await chain.public.getLogs({ address: idRegistry.address, fromBlock: 0n });
  const registered = parseEventLogs({ abi: idRegistry.abi, logs, eventName: 'Register' });
  expect(registered.map(({ args }) => Number(args.id)).toSorted((a, b) => a - b)).toEqual(
    accountsTo(300).map(({ fid }) => fid),
  );

  const block = await chain.public.getBlockNumber();
  await installRegistries(client);
  await registerLocalAccounts(client, accountsTo(300), 300);
  expect(await chain.public.getBlockNumber(), 'nothing is missing, so nothing is sent').toBe(block);

  // The chain has id 31337, but signatures are those of OP Mainnet.
  const owner = privateKeyToAccount(generatePrivateKey());
  expect(await registerAccount(chain, owner)).toBe(301n);
  await registerLocalAccounts(client, accountsTo(300), 300);
  expect(await counterOf(chain), 'the counter is never lowered').toBe(301n);
});

test('what the chain knows better is not changed', async () => {
  const chain = await start();
  const client = localClient(chain.url);
  await installRegistries(client);
  await registerLocalAccounts(client, accountsTo(3), 3);
  const owner = privateKeyToAccount(generatePrivateKey());
  const fid = await registerAccount(chain, owner);
  expect(fid).toBe(4n);
  await registerLocalAccounts(
    client,
    [
      accountAt(1),
      // Another owner than on the chain, an owner that has an account, two accounts of one owner, and no owner.
      { ...accountAt(2), custody: addressAt(99) },
      { ...accountAt(5), custody: owner.address },
      { ...accountAt(6), custody: addressAt(66) },
      { ...accountAt(7), custody: addressAt(66) },
      { ...accountAt(8), custody: zeroAddress },
      // Beyond 24 bits, as `bulkRegisterIds` of the real registry has them, and the fid of the development app.
      accountAt(20_000_000),
      accountAt(2_147_483_647),
    ],
    8,
  );
  expect(await Promise.all([2, 4, 5, 6, 7, 8].map((one) => custodyOf(chain, one)))).toEqual([
    addressAt(2),
    owner.address,
    zeroAddress,
    addressAt(66),
    zeroAddress,
    zeroAddress,
  ]);
  expect(await fidOf(chain, addressAt(20_000_000))).toBe(20_000_000n);
  expect(await fidOf(chain, addressAt(2_147_483_647))).toBe(2_147_483_647n);
  expect(await counterOf(chain)).toBe(8n);
  expect(await registerAccount(chain, privateKeyToAccount(generatePrivateKey()))).toBe(9n);
});

test('a kept state keeps accounts, prices and limits', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-registry-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'state.json');
  const first = await start(file);
  await installRegistries(localClient(first.url));
  await registerLocalAccounts(localClient(first.url), accountsTo(2), 2);
  const { storageRegistry } = REGISTRY;
  const data = encodeFunctionData({ ...storageRegistry, functionName: 'setMaxUnits', args: [77n] });
  await sendFrom(first, LOCAL_TOKEN_DEPLOYER, { to: storageRegistry.address, data });
  const price = await first.public.readContract({ ...storageRegistry, functionName: 'unitPrice' });
  // 20 cents at 2,500 dollars for an ether.
  expect(price).toBe(80_000_000_000_000n);
  await first.stop();

  const second = await start(file);
  const client = localClient(second.url);
  const block = await second.public.getBlockNumber();
  await installRegistries(client);
  await registerLocalAccounts(client, accountsTo(3), 3);
  expect(await second.public.getBlockNumber()).toBe(block + 2n);
  expect(await fidOf(second, addressAt(3))).toBe(3n);
  expect(await second.public.readContract({ ...storageRegistry, functionName: 'maxUnits' })).toBe(77n);
  expect(await second.public.readContract({ ...storageRegistry, functionName: 'unitPrice' })).toBe(price);
});

test('code of an older version is replaced', async () => {
  const chain = await start();
  const client = localClient(chain.url);
  const { address } = REGISTRY.bundler;
  await client.setCode({ address, bytecode: '0x00' });
  await installRegistries(client);
  expect(await chain.public.readContract({ ...REGISTRY.bundler, functionName: 'VERSION' })).toBe('2023.11.15');
});
