import { type Address, encodeFunctionData, maxUint256, parseEventLogs } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testTokenAbi, testTokenBytecode } from '../src/onchain/artifact/test-token.js';
import type { TestChain } from './support/chain.js';
import { REGISTRY, registryOwner, revertOf, sendFrom, startRegistryChain, whilePaused } from './support/registry.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let chain: TestChain;
let payer: Address;
beforeAll(async () => {
  chain = await startRegistryChain();
  payer = chain.account(0).address;
});
afterAll(() => chain.stop());

const { storageRegistry } = REGISTRY;
/** An account that nobody has. */
const NOBODY = 987_654_321_987n;
const read = (functionName: 'unitPrice' | 'rentedUnits' | 'maxUnits' | 'deprecationTimestamp') =>
  chain.public.readContract({ ...storageRegistry, functionName });
const priceOf = (units: bigint) =>
  chain.public.readContract({ ...storageRegistry, functionName: 'price', args: [units] });
const rent = (units: bigint, value: bigint) =>
  chain.public.simulateContract({
    ...storageRegistry,
    functionName: 'rent',
    args: [NOBODY, units],
    value,
    account: payer,
  });
const batch = (fids: readonly bigint[], units: readonly bigint[], value: bigint) =>
  chain.public.simulateContract({
    ...storageRegistry,
    functionName: 'batchRent',
    args: [fids, units],
    value,
    account: payer,
  });

test('rents for any fid, and gives back the surplus', async () => {
  const [price, before, rented] = await Promise.all([
    priceOf(3n),
    chain.public.getBalance({ address: payer }),
    read('rentedUnits'),
  ]);
  const call = { ...storageRegistry, functionName: 'rent', args: [NOBODY, 3n], account: chain.account(0) } as const;
  const receipt = await chain.receipt(chain.wallet.writeContract({ ...call, value: price + 999n }));
  const spent = before - (await chain.public.getBalance({ address: payer }));
  expect(spent - receipt.gasUsed * receipt.effectiveGasPrice).toBe(price);
  expect(parseEventLogs({ abi: storageRegistry.abi, logs: receipt.logs })).toMatchObject([
    { eventName: 'Rent', args: { payer, fid: NOBODY, units: 3n } },
  ]);
  expect(await read('rentedUnits')).toBe(rented + 3n);
  expect((await rent(1n, (await priceOf(1n)) + 5n)).result).toBe(5n);
  expect((await rent(1n, await priceOf(1n))).result).toBe(0n);
});

test('prices are rounded up once, not for each unit', async () => {
  const [one, seven, thousand] = await Promise.all([priceOf(1n), priceOf(7n), priceOf(1000n)]);
  expect(await priceOf(0n)).toBe(0n);
  expect(one).toBe(await read('unitPrice'));
  expect(seven <= one * 7n && seven > (one - 1n) * 7n).toBe(true);
  expect(thousand <= one * 1000n && thousand > (one - 1n) * 1000n).toBe(true);
  expect(await revertOf(priceOf(maxUint256))).toBe('Panic(17)');
  expect(await revertOf(priceOf(maxUint256 / 10n ** 18n))).toBe('without data');
});

test('refuses amounts and payments', async () => {
  const price = await priceOf(1n);
  expect(await revertOf(rent(0n, price))).toBe('InvalidAmount');
  expect(await revertOf(rent(1n, price - 1n))).toBe('InvalidPayment');
  expect(await revertOf(rent(1n, 0n))).toBe('InvalidPayment');
  expect(await revertOf(rent(2n, price))).toBe('InvalidPayment');
  const left = (await read('maxUnits')) - (await read('rentedUnits'));
  expect(await revertOf(rent(left + 1n, price))).toBe('ExceedsCapacity');
  expect(await revertOf(rent(left, price))).toBe('InvalidPayment');
  // Some units are rented already.
  expect(await revertOf(rent(maxUint256, price))).toBe('Panic(17)');
  // A payer that takes no coins gets nothing back, so it cannot pay too much.
  const { address } = await chain.deploy({ abi: testTokenAbi, bytecode: testTokenBytecode, args: ['A', 'A', 1] });
  await chain.test.setBalance({ address, value: price * 3n });
  const args = [NOBODY, 1n] as const;
  const call = { ...storageRegistry, functionName: 'rent', args, account: address } as const;
  expect(await revertOf(chain.public.simulateContract({ ...call, value: price + 1n }))).toBe('CallFailed');
  await chain.public.simulateContract({ ...call, value: price });
});

test('rents for many', async () => {
  const price = await priceOf(5n);
  expect(await revertOf(batch([], [], price))).toBe('InvalidBatchInput');
  expect(await revertOf(batch([1n], [], price))).toBe('InvalidBatchInput');
  expect(await revertOf(batch([1n, 2n], [1n], price))).toBe('InvalidBatchInput');
  expect(await revertOf(batch([1n, 2n], [2n, 3n], price - 1n))).toBe('InvalidPayment');
  const args = [
    [1n, 2n, 3n],
    [2n, 0n, 3n],
  ] as const;
  const before = await chain.public.getBalance({ address: payer });
  const receipt = await chain.receipt(
    chain.wallet.writeContract({
      ...storageRegistry,
      functionName: 'batchRent',
      args,
      value: price + 1n,
      account: chain.account(0),
    }),
  );
  const spent = before - (await chain.public.getBalance({ address: payer }));
  expect(spent - receipt.gasUsed * receipt.effectiveGasPrice).toBe(price);
  const rents = parseEventLogs({ abi: storageRegistry.abi, logs: receipt.logs, eventName: 'Rent' });
  expect(rents.map(({ args: { fid, units } }) => [fid, units])).toEqual([
    [1n, 2n],
    [3n, 3n],
  ]);
  // Nothing at all costs nothing.
  await batch([1n], [0n], 0n);
});

test('limits of the owner: pause, capacity, price and the end', async () => {
  const owner = await registryOwner(chain, 'storageRegistry');
  const price = await priceOf(1n);
  await whilePaused(chain, 'storageRegistry', async () => {
    expect(await revertOf(rent(1n, price))).toBe('Error(Pausable: paused)');
    expect(await revertOf(rent(0n, price))).toBe('Error(Pausable: paused)');
  });
  const foreign = { ...storageRegistry, functionName: 'setMaxUnits', args: [1n], account: payer } as const;
  expect(await revertOf(chain.public.simulateContract(foreign))).toBe('NotOwner');

  const set = async (functionName: 'setMaxUnits' | 'setPrice' | 'setDeprecationTimestamp', value: bigint) => {
    const data = encodeFunctionData({ ...storageRegistry, functionName, args: [value] });
    const { logs } = await sendFrom(chain, owner, { to: storageRegistry.address, data });
    return parseEventLogs({ abi: storageRegistry.abi, logs })[0];
  };
  const rented = await read('rentedUnits');
  const max = await read('maxUnits');
  const change = await set('setMaxUnits', rented + 1n);
  expect(change).toMatchObject({ eventName: 'SetMaxUnits', args: { oldMax: max, newMax: rented + 1n } });
  await rent(1n, price);
  expect(await revertOf(rent(2n, price * 2n))).toBe('ExceedsCapacity');
  expect(await revertOf(batch([1n], [2n], price * 2n))).toBe('ExceedsCapacity');
  // Payment is checked after the capacity for one account, and before it for many.
  expect(await revertOf(rent(2n, 0n))).toBe('ExceedsCapacity');
  expect(await revertOf(batch([1n], [2n], 0n))).toBe('InvalidPayment');
  expect(await set('setPrice', 7_00000000n)).toMatchObject({ eventName: 'SetPrice' });
  expect((await priceOf(1n)) > price).toBe(true);

  const late = { ...storageRegistry, functionName: 'setDeprecationTimestamp', args: [1n], account: owner } as const;
  expect(await revertOf(chain.public.simulateContract(late))).toBe('InvalidDeprecationTimestamp');
  const end = BigInt(await chain.now()) + 100n;
  await set('setDeprecationTimestamp', end);
  expect(await read('deprecationTimestamp')).toBe(end);
  await chain.setNextTime(Number(end));
  await chain.mine();
  expect(await revertOf(rent(0n, 0n))).toBe('ContractDeprecated');
  expect(await revertOf(batch([], [], 0n))).toBe('ContractDeprecated');
});
