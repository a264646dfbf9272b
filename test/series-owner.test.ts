import { encodeFunctionData, getAddress, parseEventLogs, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriesCollectionAbi } from '../src/onchain/artifact/series-collection.js';
import { testTokenAbi, testTokenBytecode } from '../src/onchain/artifact/test-token.js';
import { startChain, type TestChain } from './support/chain.js';
import { attempt, attemptSeries, deploySeries, encodeChange, type TransactionResult } from './support/series.js';

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

const who = (index: number) => chain.account(index).address;
const balance = (address: `0x${string}`) => chain.public.getBalance({ address });
const events = ({ receipt }: TransactionResult) =>
  parseEventLogs({ abi: seriesCollectionAbi, logs: receipt.logs }).map(({ eventName, args }) => [eventName, args]);
const DONE = { isDone: true, error: undefined };
const refused = (...error: readonly unknown[]) => ({ isDone: false, error });

describe('ownership', () => {
  test('is that of the configured address from the first block on', async () => {
    const series = await deploySeries(chain, { owner: who(5) });
    expect(await series.read.owner()).toBe(who(5));
    expect(events({ receipt: series.receipt, isDone: true, error: undefined })).toEqual([
      ['OwnershipTransferred', { previousOwner: zeroAddress, newOwner: who(5) }],
    ]);
    expect(await attemptSeries(chain, { owner: zeroAddress })).toMatchObject(
      refused('OwnableInvalidOwner', zeroAddress),
    );
  });

  test("is required for the owner's functions", async () => {
    const series = await deploySeries(chain, { owner: who(1), pricePerToken: 7n });
    // The deployer is nobody here.
    for (const from of [chain.account(0), chain.account(2)]) {
      const stranger = refused('OwnableUnauthorizedAccount', from.address);
      expect(await series.airdrop(from.address, 1n, { from })).toMatchObject(stranger);
      expect(await series.send('withdraw', [from.address], { from })).toMatchObject(stranger);
      expect(await series.send('setMintWindow', [0, 0], { from })).toMatchObject(stranger);
      expect(await series.send('setTokenUri', ['x'], { from })).toMatchObject(stranger);
      expect(await series.send('transferOwnership', [from.address], { from })).toMatchObject(stranger);
      expect(await series.send('acceptOwnership', [], { from })).toMatchObject(stranger);
    }
  });

  test('is transferred when the new owner accepts it, and never to the zero address', async () => {
    const series = await deploySeries(chain);
    const from = chain.account(1);
    expect(await series.send('transferOwnership', [from.address])).toMatchObject(DONE);
    expect([await series.read.owner(), await series.read.pendingOwner()]).toEqual([who(0), from.address]);
    expect(await series.send('acceptOwnership', [], { from })).toMatchObject(DONE);
    expect(await series.airdrop(who(2), 1n)).toMatchObject(refused('OwnableUnauthorizedAccount', who(0)));
    expect(await series.airdrop(who(2), 1n, { from })).toMatchObject(DONE);
    const data = encodeFunctionData({ abi: seriesCollectionAbi, functionName: 'renounceOwnership' });
    expect(await attempt(chain, { to: series.address, data, from })).toMatchObject(
      refused('OwnershipCannotBeRenounced'),
    );
    expect(await series.read.owner()).toBe(from.address);
  });

  test('does not change the mint window in the neighbouring storage slot when it is transferred', async () => {
    const [startTime, endTime] = [2 ** 48 - 2, 2 ** 48 - 1];
    const series = await deploySeries(chain, { startTime, endTime });
    const window = async () => [await series.read.startTime(), await series.read.endTime()];
    await series.send('transferOwnership', ['0xffffffffffffffffffffffffffffffffffffffff']);
    expect(await window()).toEqual([startTime, endTime]);
    await series.send('transferOwnership', [who(1)]);
    await series.send('acceptOwnership', [], { from: chain.account(1) });
    expect(await window()).toEqual([startTime, endTime]);
    await series.send('transferOwnership', [who(2)], { from: chain.account(1) });
    await series.send('setMintWindow', [1, 0], { from: chain.account(1) });
    expect([...(await window()), await series.read.pendingOwner()]).toEqual([1, 0, who(2)]);
  });
});

test('the owner mints for free, outside of window and limits', async () => {
  const later = (await chain.now()) + 10_000;
  const series = await deploySeries(chain, {
    ...{ maxSupply: 30n, startTime: later, maxPerTx: 1, maxPerWallet: 1, pricePerToken: 10n ** 18n },
  });
  expect(await series.airdrop(who(1), 20n)).toMatchObject(DONE);
  expect(await series.airdrop(who(1), 10n)).toMatchObject(DONE);
  expect(await series.read.balanceOf([who(1)])).toBe(30n);
  expect(await series.airdrop(who(1), 1n)).toMatchObject(refused('SoldOut', 1n, 0n));
});

describe('the mint window', () => {
  test('is changed by the owner', async () => {
    const series = await deploySeries(chain, { startTime: (await chain.now()) + 1000 });
    const end = (await chain.now()) + 500;
    const moved = await series.send('setMintWindow', [0, end]);
    expect(events(moved)).toEqual([['MintWindowChanged', { startTime: 0n, endTime: BigInt(end) }]]);
    expect(await series.mint(who(1), 1n)).toMatchObject(DONE);
    await chain.setNextTime(end);
    expect(await series.mint(who(1), 1n)).toMatchObject(refused('MintEnded', BigInt(end)));
    expect(await series.send('setMintWindow', [end, end])).toMatchObject(
      refused('InvalidMintWindow', BigInt(end), BigInt(end)),
    );
    expect(await series.send('setMintWindow', [end + 1, end])).toMatchObject(
      refused('InvalidMintWindow', BigInt(end) + 1n, BigInt(end)),
    );
    expect([await series.read.startTime(), await series.read.endTime()]).toEqual([0, end]);
    expect(await series.send('setMintWindow', [0, 0])).toMatchObject(DONE);
    expect(await series.mint(who(1), 1n)).toMatchObject(DONE);
  });
});

describe('what was paid', () => {
  test('is withdrawn completely to where the owner says', async () => {
    const series = await deploySeries(chain, { pricePerToken: 10n ** 15n });
    await series.mint(who(1), 3n, { value: 3n * 10n ** 15n });
    const to = getAddress('0x00000000000000000000000000000000000c0ffe');
    expect(events(await series.send('withdraw', [to]))).toEqual([['Withdrawn', { to, amount: 3n * 10n ** 15n }]]);
    expect([await balance(to), await balance(series.address)]).toEqual([3n * 10n ** 15n, 0n]);
    // Again is no fault, and sends nothing.
    expect(await series.send('withdraw', [to])).toMatchObject(DONE);
    expect(await balance(to)).toBe(3n * 10n ** 15n);
  });

  test('is neither sent to the zero address nor lost if the receiver rejects it', async () => {
    const series = await deploySeries(chain, { pricePerToken: 5n });
    await series.mint(who(1), 1n, { value: 5n });
    expect(await series.send('withdraw', [zeroAddress])).toMatchObject(refused('InvalidRecipient', zeroAddress));
    // A token takes no coins, and neither does the collection itself.
    const token = await chain.deploy({ abi: testTokenAbi, bytecode: testTokenBytecode, args: ['Token', 'TOK', 6] });
    for (const to of [token.address, series.address])
      expect(await series.send('withdraw', [to])).toMatchObject(refused('FailedCall'));
    expect(await balance(series.address)).toBe(5n);
    expect(await series.send('withdraw', [who(1)])).toMatchObject(DONE);
  });

  test('with a transfer is the owner\u2019s too: the standard lets transfers carry coins', async () => {
    const series = await deploySeries(chain);
    const from = chain.account(1);
    await series.mint(from.address, 1n);
    const data = encodeChange('transferFrom', [from.address, who(2), 1n]);
    expect(await attempt(chain, { to: series.address, data, value: 9n, from })).toMatchObject(DONE);
    expect(events(await series.send('withdraw', [who(3)]))).toEqual([['Withdrawn', { to: who(3), amount: 9n }]]);
  });
});
