import { maxUint64, maxUint192, maxUint256, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChain, type TestChain } from './support/chain.js';
import { attemptSeries, deploySeries } from './support/series.js';

let chain: TestChain;
beforeAll(async () => {
  // The fork that the contract is compiled for, so that no newer instruction slips in.
  chain = await startChain({ hardfork: 'cancun' });
});
afterAll(() => chain.stop());

const who = (index: number) => chain.account(index).address;
const DONE = { isDone: true, error: undefined };
const refused = (...error: readonly unknown[]) => ({ isDone: false, error });

describe('supply', () => {
  test('ends exactly at its maximum', async () => {
    const series = await deploySeries(chain, { maxSupply: 5n });
    expect(await series.mint(who(1), 3n)).toMatchObject(DONE);
    expect(await series.mint(who(2), 3n)).toMatchObject(refused('SoldOut', 3n, 2n));
    expect(await series.mint(who(2), 2n)).toMatchObject(DONE);
    expect(await series.mint(who(3), 1n)).toMatchObject(refused('SoldOut', 1n, 0n));
    expect(await series.airdrop(who(3), 1n)).toMatchObject(refused('SoldOut', 1n, 0n));
    expect(await series.read.totalSupply()).toBe(5n);
    expect([await series.read.ownerOf([1n]), await series.read.ownerOf([5n])]).toEqual([who(1), who(2)]);
    await expect(series.read.ownerOf([0n])).rejects.toThrow('OwnerQueryForNonexistentToken');
    await expect(series.read.ownerOf([6n])).rejects.toThrow('OwnerQueryForNonexistentToken');
  });

  test('of 1 is one token', async () => {
    const series = await deploySeries(chain, { maxSupply: 1n });
    expect(await series.mint(who(1), 1n)).toMatchObject(DONE);
    expect(await series.mint(who(1), 1n)).toMatchObject(refused('SoldOut', 1n, 0n));
  });

  test('has no end where the maximum is 0', async () => {
    const series = await deploySeries(chain);
    expect(await series.mint(who(1), 300n)).toMatchObject(DONE);
    expect(await series.mint(who(1), 1n)).toMatchObject(DONE);
    expect([await series.read.maxSupply(), await series.read.totalSupply()]).toEqual([0n, 301n]);
  });

  test.each([maxUint64 + 1n, 2n ** 128n, maxUint256])('no quantity overflows a counter: %d', async (quantity) => {
    const series = await deploySeries(chain, { maxPerWallet: 7 });
    const owner = await deploySeries(chain);
    for (const one of [series, owner]) expect(await one.mint(who(1), 2n)).toMatchObject(DONE);
    const error = refused('SoldOut', quantity, maxUint64 - 2n);
    // Two and the last of these would come to 1 again, below any limit of a wallet.
    expect(await series.mint(who(1), quantity)).toMatchObject(error);
    expect(await owner.airdrop(who(1), quantity)).toMatchObject(error);
    expect(await series.read.balanceOf([who(1)])).toBe(2n);
    expect(await series.read.numberMinted([who(1)])).toBe(2n);
  });

  test('a quantity beyond what a block holds runs out of gas and leaves nothing', async () => {
    const series = await deploySeries(chain);
    expect(await series.mint(who(1), maxUint64)).toMatchObject({ isDone: false, error: undefined });
    expect(await series.read.totalSupply()).toBe(0n);
  });
});

test('zero tokens, or the zero address, are rejected', async () => {
  const series = await deploySeries(chain, { maxSupply: 10n, maxPerTx: 2, maxPerWallet: 2, pricePerToken: 5n });
  expect(await series.mint(who(1), 0n)).toMatchObject(refused('MintZeroQuantity'));
  expect(await series.airdrop(who(1), 0n)).toMatchObject(refused('MintZeroQuantity'));
  expect(await series.mint(zeroAddress, 1n, { value: 5n })).toMatchObject(refused('MintToZeroAddress'));
  expect(await series.airdrop(zeroAddress, 1n)).toMatchObject(refused('MintToZeroAddress'));
});

describe('the mint window', () => {
  test('opens and closes to the second', async () => {
    const start = (await chain.now()) + 1000;
    const end = start + 60;
    const series = await deploySeries(chain, { startTime: start, endTime: end });
    expect([await series.read.startTime(), await series.read.endTime()]).toEqual([start, end]);
    const mintAt = async (time: number) => {
      await chain.setNextTime(time);
      return series.mint(who(1), 1n);
    };
    expect(await mintAt(start - 1)).toMatchObject(refused('MintNotStarted', BigInt(start)));
    expect(await mintAt(start)).toMatchObject(DONE);
    expect(await mintAt(end - 1)).toMatchObject(DONE);
    expect(await mintAt(end)).toMatchObject(refused('MintEnded', BigInt(end)));
    expect(await mintAt(end + 1)).toMatchObject(refused('MintEnded', BigInt(end)));
  });

  test('is always open without a start and an end', async () => {
    const series = await deploySeries(chain);
    const start = (await chain.now()) + 100;
    const endless = await deploySeries(chain, { startTime: start });
    expect(await series.mint(who(1), 1n)).toMatchObject(DONE);
    expect(await endless.mint(who(1), 1n)).toMatchObject(refused('MintNotStarted', BigInt(start)));
    await chain.setNextTime(start + 50 * 365 * 86_400);
    expect(await endless.mint(who(1), 1n)).toMatchObject(DONE);
    expect(await series.mint(who(1), 1n)).toMatchObject(DONE);
  });

  test('that ends before it begins is rejected at deployment', async () => {
    for (const [startTime, endTime] of [
      [100, 99],
      [100, 100],
    ] as const)
      expect(await attemptSeries(chain, { startTime, endTime })).toMatchObject(
        refused('InvalidMintWindow', BigInt(startTime), BigInt(endTime)),
      );
    expect(await attemptSeries(chain, { startTime: 100, endTime: 101 })).toMatchObject(DONE);
    expect(await attemptSeries(chain, { startTime: 2 ** 48 - 2, endTime: 2 ** 48 - 1 })).toMatchObject(DONE);
  });
});

test('a transaction mints at most its limit, any number of times', async () => {
  const series = await deploySeries(chain, { maxPerTx: 3 });
  expect(await series.mint(who(1), 4n)).toMatchObject(refused('TooManyPerTransaction', 4n, 3n));
  expect(await series.mint(who(1), 3n)).toMatchObject(DONE);
  expect(await series.mint(who(1), 3n)).toMatchObject(DONE);
});

describe('the limit of a wallet', () => {
  test('is counted for the recipient, whoever pays', async () => {
    const series = await deploySeries(chain, { maxPerWallet: 3 });
    expect(await series.mint(who(1), 2n, { from: chain.account(2) })).toMatchObject(DONE);
    expect(await series.mint(who(1), 2n, { from: chain.account(3) })).toMatchObject(
      refused('TooManyPerWallet', who(1), 2n, 2n, 3n),
    );
    expect(await series.mint(who(1), 1n, { from: chain.account(3) })).toMatchObject(DONE);
    expect(await series.mint(who(1), 1n)).toMatchObject(refused('TooManyPerWallet', who(1), 1n, 3n, 3n));
    // The payer of two tokens has his own three still.
    expect(await series.mint(who(2), 3n, { from: chain.account(2) })).toMatchObject(DONE);
    expect(await series.mint(who(4), 4n)).toMatchObject(refused('TooManyPerWallet', who(4), 4n, 0n, 3n));
  });

  test('is not reset by a transfer', async () => {
    const series = await deploySeries(chain, { maxPerWallet: 1 });
    const from = chain.account(1);
    expect(await series.mint(from.address, 1n, { from })).toMatchObject(DONE);
    expect(await series.send('transferFrom', [from.address, who(2), 1n], { from })).toMatchObject(DONE);
    expect(await series.mint(from.address, 1n)).toMatchObject(refused('TooManyPerWallet', from.address, 1n, 1n, 1n));
    // Who was given one may still mint.
    expect(await series.mint(who(2), 1n)).toMatchObject(DONE);
    expect(await series.read.balanceOf([who(2)])).toBe(2n);
  });

  test('counts gifts of the owner but does not limit them', async () => {
    const series = await deploySeries(chain, { maxPerWallet: 2 });
    expect(await series.airdrop(who(1), 5n)).toMatchObject(DONE);
    expect(await series.mint(who(1), 1n)).toMatchObject(refused('TooManyPerWallet', who(1), 1n, 5n, 2n));
    expect(await series.read.numberMinted([who(1)])).toBe(5n);
  });
});

describe('the price', () => {
  test('is paid exactly', async () => {
    const series = await deploySeries(chain, { pricePerToken: 1000n });
    const wrong = (value: bigint) => refused('WrongValue', value, 3000n);
    for (const value of [0n, 2999n, 3001n, 6000n])
      expect(await series.mint(who(1), 3n, { value })).toMatchObject(wrong(value));
    expect(await series.mint(who(1), 3n, { value: 3000n })).toMatchObject(DONE);
    expect(await chain.public.getBalance({ address: series.address })).toBe(3000n);
  });

  test('of zero requires no value', async () => {
    const series = await deploySeries(chain);
    expect(await series.mint(who(1), 2n, { value: 1n })).toMatchObject(refused('WrongValue', 1n, 0n));
  });

  test('is at least all that 57 digits can say, and times a quantity never overflows', async () => {
    const most = BigInt('9'.repeat(57));
    const dear = await deploySeries(chain, { pricePerToken: most });
    expect(await dear.read.pricePerToken()).toBe(most);
    expect(await dear.mint(who(1), 2n, { value: 0n })).toMatchObject(refused('WrongValue', 0n, most * 2n));

    const dearest = await deploySeries(chain, { pricePerToken: maxUint192 });
    expect(await dearest.mint(who(1), maxUint64)).toMatchObject(refused('WrongValue', 0n, maxUint192 * maxUint64));
    // 2^64 times 2^192 is 0 in 256 bits.
    const even = await deploySeries(chain, { pricePerToken: 2n ** 191n });
    expect(await even.mint(who(1), 2n ** 65n)).toMatchObject(refused('SoldOut', 2n ** 65n, maxUint64));
    expect(await attemptSeries(chain, { pricePerToken: maxUint192 + 1n })).toMatchObject(
      refused('InvalidPrice', maxUint192 + 1n, maxUint192),
    );
  });
});

test('a supply is at most what the counters hold', async () => {
  const series = await deploySeries(chain, { maxSupply: maxUint64 });
  expect(await series.read.maxSupply()).toBe(maxUint64);
  expect(await series.mint(who(1), maxUint64 + 1n)).toMatchObject(refused('SoldOut', maxUint64 + 1n, maxUint64));
  expect(await attemptSeries(chain, { maxSupply: maxUint64 + 1n })).toMatchObject(
    refused('InvalidMaxSupply', maxUint64 + 1n, maxUint64),
  );
});

test('coins are only accepted as payment for a mint', async () => {
  const { address } = await deploySeries(chain);
  await expect(
    chain.wallet.sendTransaction({ account: chain.account(0), chain: chain.public.chain, to: address, value: 1n }),
  ).rejects.toThrow(/revert/);
});
