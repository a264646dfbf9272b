import { readFile } from 'node:fs/promises';
import { type Address, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainSeriesAbi, plainSeriesBytecode } from './support/artifact/plain-series.js';
import { startChain, type TestChain } from './support/chain.js';
import { attempt, deploySeries, encodeChange } from './support/series.js';

const DOCUMENT = new URL('../docs/collection.md', import.meta.url);
const QUANTITIES = [1n, 5n, 20n];
const PRICE = 10n ** 15n;

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

/** A collection as apps make them. */
const TEXTS = {
  name: 'A series of harbours',
  symbol: 'HARBOUR',
  description: 'Twenty harbours at dawn, drawn by hand, one for each town between the two lighthouses.',
  image: 'https://example.org/harbour/cover.png',
  externalLink: 'https://example.org/harbour',
};

const count = (gas: bigint): string => gas.toLocaleString('en-US');
const more = (gas: bigint, plain: bigint): string => {
  const share = (Number(gas - plain) / Number(plain)) * 100;
  return `${count(gas)} (${share < 0 ? '' : '+'}${share.toFixed(1)} %)`;
};

/** @returns the gas of each quantity, minted to wallets that had none, in a collection that has some. */
const gasOfMints = async (to: Address, encode: (wallet: Address, quantity: bigint) => `0x${string}`, price = 0n) => {
  const mint = async (index: number, quantity: bigint) => {
    const data = encode(chain.account(index).address, quantity);
    const { receipt, isDone } = await attempt(chain, { to, data, value: price * quantity });
    expect(isDone).toBe(true);
    return receipt.gasUsed;
  };
  await mint(1, 1n);
  const used: bigint[] = [];
  for (const [place, quantity] of QUANTITIES.entries()) used.push(await mint(2 + place, quantity));
  return used;
};

const codeSize = async (address: Address): Promise<number> =>
  ((await chain.public.getCode({ address }))?.length ?? 2) / 2 - 1;

const table = async (): Promise<string> => {
  const plain = await chain.deploy({
    abi: plainSeriesAbi,
    bytecode: plainSeriesBytecode,
    args: [TEXTS.name, TEXTS.symbol],
  });
  const open = await deploySeries(chain, TEXTS);
  const limited = await deploySeries(chain, {
    ...TEXTS,
    maxSupply: 10_000n,
    // Fixed: which of their bytes are zero decides what they cost in a transaction.
    startTime: 1_700_000_000,
    endTime: 4_102_444_799,
    maxPerTx: 20,
    maxPerWallet: 50,
    pricePerToken: PRICE,
    royaltyBps: 500,
    royaltyReceiver: chain.account(0).address,
  });

  const encodePlain = (to: Address, quantity: bigint) =>
    encodeFunctionData({ abi: plainSeriesAbi, functionName: 'mint', args: [to, quantity] });
  const encodeMint = (to: Address, quantity: bigint) => encodeChange('mint', [to, quantity]);
  const encodeAirdrop = (to: Address, quantity: bigint) => encodeChange('airdrop', [to, quantity]);
  const ofPlain = await gasOfMints(plain.address, encodePlain);
  const ofOpen = await gasOfMints(open.address, encodeMint);
  const ofLimited = await gasOfMints(limited.address, encodeMint, PRICE);
  const other = await deploySeries(chain, TEXTS);
  const ofAirdrop = await gasOfMints(other.address, encodeAirdrop);

  const rows = QUANTITIES.map((quantity, place) => {
    const base = ofPlain[place] as bigint;
    const cells = [ofOpen, ofLimited, ofAirdrop].map((used) => more(used[place] as bigint, base));
    return [`mint ${quantity}`, count(base), ...cells];
  });
  rows.push(['deploy', ...[plain.receipt, open.receipt, limited.receipt].map((receipt) => count(receipt.gasUsed)), '']);
  const sizes = await Promise.all([plain.address, open.address, limited.address].map(codeSize));
  rows.push(['code, bytes', ...sizes.map((size) => count(BigInt(size))), '']);
  const head = ['Gas', 'ERC721A alone', 'without limits, free', 'all limits, price', 'airdrop'];
  const lines = [head, head.map((_cell, place) => (place === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')).join('\n');
};

test('the documented gas figures are those of the contract', async () => {
  const measured = await table();
  const document = await readFile(DOCUMENT, 'utf8');
  const [, present] = /<!-- gas -->\n([\s\S]*?)\n<!-- \/gas -->/.exec(document) ?? [];
  expect(present, 'put the measured table into docs/collection.md').toBe(measured);
});

test('limits cost little gas and do not change the events', async () => {
  const series = await deploySeries(chain, { maxSupply: 100n, maxPerTx: 20, maxPerWallet: 20, pricePerToken: 1n });
  const plain = await chain.deploy({ abi: plainSeriesAbi, bytecode: plainSeriesBytecode, args: ['Plain', 'PLN'] });
  const data = encodeFunctionData({
    abi: plainSeriesAbi,
    functionName: 'mint',
    args: [chain.account(1).address, 20n],
  });
  const alone = await attempt(chain, { to: plain.address, data });
  const limited = await series.mint(chain.account(1).address, 20n, { value: 20n });
  expect(limited.receipt.logs.map(({ topics }) => topics)).toEqual(alone.receipt.logs.map(({ topics }) => topics));
  expect(Number(limited.receipt.gasUsed) / Number(alone.receipt.gasUsed)).toBeLessThan(1.1);
});
