import { type Address, decodeErrorResult, encodeFunctionData, getContract, type Hex, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriesCollectionAbi } from '../src/onchain/artifact/series-collection.js';
import { testTokenAbi, testTokenBytecode } from '../src/onchain/artifact/test-token.js';
import { reentererAbi, reentererBytecode } from './support/artifact/reenterer.js';
import { startChain, type TestChain } from './support/chain.js';
import { attempt, deploySeries, encodeChange } from './support/series.js';

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

const who = (index: number) => chain.account(index).address;
const balance = (address: Address) => chain.public.getBalance({ address });
const DONE = { isDone: true, error: undefined };

/** A contract that calls back; it holds 1,000 wei to pay with. */
const deployReenterer = async () => {
  const { address } = await chain.deploy({ abi: reentererAbi, bytecode: reentererBytecode, args: [] });
  await chain.test.setBalance({ address, value: 1000n });
  const { read } = getContract({ address, abi: reentererAbi, client: chain.public });
  const send = (data: Hex) => attempt(chain, { to: address, data });
  return {
    address,
    read,
    /** Calls `target` back with `data` when coins or tokens come in. */
    arm: (target: Address, data: Hex, value = 0n) =>
      send(encodeFunctionData({ abi: reentererAbi, functionName: 'arm', args: [target, data, value] })),
    execute: (target: Address, data: Hex) =>
      send(encodeFunctionData({ abi: reentererAbi, functionName: 'execute', args: [target, data] })),
  };
};

describe('a receiver of the balance that calls back', () => {
  test('gets no more than the balance, even as the owner', async () => {
    const attacker = await deployReenterer();
    const series = await deploySeries(chain, { owner: attacker.address, pricePerToken: 100n });
    const other = await deploySeries(chain, { pricePerToken: 100n });
    for (const one of [series, other]) await one.mint(who(1), 5n, { value: 500n });

    const withdraw = encodeChange('withdraw', [attacker.address]);
    await attacker.arm(series.address, withdraw);
    expect(await attacker.execute(series.address, withdraw)).toMatchObject(DONE);
    // It did call back, thrice deep, and was sent nothing again.
    expect([await attacker.read.calls(), await attacker.read.hasSucceeded()]).toEqual([3n, true]);
    expect([await balance(attacker.address), await balance(series.address)]).toEqual([1500n, 0n]);
    expect(await balance(other.address)).toBe(500n);
  });

  test('may not withdraw for itself', async () => {
    const attacker = await deployReenterer();
    const series = await deploySeries(chain, { pricePerToken: 100n });
    await series.mint(who(1), 5n, { value: 500n });
    await attacker.arm(series.address, encodeChange('withdraw', [attacker.address]));
    expect(await series.send('withdraw', [attacker.address])).toMatchObject(DONE);
    expect([await attacker.read.calls(), await attacker.read.hasSucceeded()]).toEqual([1n, false]);
    expect(decodeErrorResult({ abi: seriesCollectionAbi, data: await attacker.read.answer() })).toMatchObject({
      errorName: 'OwnableUnauthorizedAccount',
      args: [attacker.address],
    });
    expect([await balance(attacker.address), await balance(series.address)]).toEqual([1500n, 0n]);
  });

  test('may mint at the price', async () => {
    const attacker = await deployReenterer();
    const series = await deploySeries(chain, { pricePerToken: 100n });
    await series.mint(who(1), 5n, { value: 500n });
    await attacker.arm(series.address, encodeChange('mint', [who(2), 1n]), 100n);
    expect(await series.send('withdraw', [attacker.address])).toMatchObject(DONE);
    expect(await attacker.read.hasSucceeded()).toBe(true);
    expect([await balance(attacker.address), await balance(series.address)]).toEqual([1400n, 100n]);
    expect(await series.read.totalSupply()).toBe(6n);
  });
});

describe('a recipient that calls back', () => {
  const limits = { maxSupply: 2n, maxPerTx: 1, maxPerWallet: 1, pricePerToken: 100n };

  test('gets its tokens if it does not call back', async () => {
    const receiver = await deployReenterer();
    const series = await deploySeries(chain, limits);
    expect(await series.mint(receiver.address, 1n, { value: 100n })).toMatchObject(DONE);
    expect(await series.read.ownerOf([1n])).toBe(receiver.address);
  });

  test('cannot exceed a limit', async () => {
    const attacker = await deployReenterer();
    const series = await deploySeries(chain, limits);
    await attacker.arm(series.address, encodeChange('mint', [attacker.address, 1n]), 100n);
    // His second token is refused where he asks for it, which costs him nothing but the attempt.
    expect(await series.mint(attacker.address, 1n, { value: 100n })).toMatchObject(DONE);
    expect([await attacker.read.calls(), await attacker.read.hasSucceeded()]).toEqual([1n, false]);
    expect(decodeErrorResult({ abi: seriesCollectionAbi, data: await attacker.read.answer() })).toMatchObject({
      errorName: 'TooManyPerWallet',
      args: [attacker.address, 1n, 1n, 1n],
    });
    expect(await series.read.totalSupply()).toBe(1n);
  });

  test.each(['mint', 'airdrop'] as const)('loses the whole %s if it mints during the callback', async (name) => {
    const attacker = await deployReenterer();
    const series = await deploySeries(chain, { owner: attacker.address, pricePerToken: name === 'mint' ? 100n : 0n });
    const value = name === 'mint' ? 100n : 0n;
    await attacker.arm(series.address, encodeChange(name, [who(2), 1n]), value);
    expect(await series.mint(attacker.address, 1n, { value })).toEqual(
      expect.objectContaining({ isDone: false, error: undefined }),
    );
    expect([await series.read.totalSupply(), await balance(series.address)]).toEqual([0n, 0n]);
    // Disarmed, he is welcome.
    await attacker.arm(zeroAddress, '0x');
    expect(await series.mint(attacker.address, 1n, { value })).toMatchObject(DONE);
  });
});

test('a contract that does not accept tokens gets none', async () => {
  const series = await deploySeries(chain);
  const token = await chain.deploy({ abi: testTokenAbi, bytecode: testTokenBytecode, args: ['Token', 'TOK', 6] });
  const error = { isDone: false, error: ['TransferToNonERC721ReceiverImplementer'] };
  expect(await series.mint(token.address, 1n)).toMatchObject(error);
  expect(await series.airdrop(token.address, 1n)).toMatchObject(error);
  expect(await series.read.totalSupply()).toBe(0n);
});
