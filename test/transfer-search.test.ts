import { type Address, type Hex, pad, stringToHex, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { deleteOldTransferSearches } from '../src/store/onchain/transfer-search.js';
import { fakeContract, SELECTOR } from './support/fake-contract.js';
import type { ProxiedRequest } from './support/rpc-proxy.js';
import {
  deployToken,
  mintToken,
  setContractCode,
  startTokenEnvironment,
  type TokenEnvironment,
} from './support/token-environment.js';
import { forgetSearches, pauseTransferScan, runTransferScan, TRANSFER, type Warning } from './support/transfer-scan.js';

const PATH = '/v2/onchain/token/balances';
const DAY_MS = 24 * 60 * 60 * 1000;

let world: TokenEnvironment;
let listed: Address;
let warnings: Warning[] = [];

beforeAll(async () => {
  world = await startTokenEnvironment(async ({ base }) => {
    listed = await deployToken(base, 'Listed', 'LST', 18);
    return [{ chainId: 8453, address: listed, name: 'Listed', symbol: 'LST', decimals: 18 }];
  });
  await pauseTransferScan(world);
});
afterAll(() => world.stop());
afterEach(async () => {
  warnings = [];
  await forgetSearches(world);
});

const turn = (): Promise<void> => runTransferScan(world, warnings);

let wallets = 0;
/** A wallet that nothing was sent to yet. */
const newWallet = (): Address => {
  wallets += 1;
  return pad(toHex(0xaaa_0000 + wallets), { size: 20 });
};

const balances = async (wallet: Address, networks = 'base') => {
  const { status, body } = await world.network.get(`${PATH}?networks=${networks}&address=${wallet}&limit=100`);
  expect(status).toBe(200);
  return body.balances as { symbol: string; name: string; address: string; balance: string; decimals: number }[];
};
const symbols = async (wallet: Address): Promise<string[]> => (await balances(wallet)).map(({ symbol }) => symbol);
const searched = () => world.proxies.base.passed.filter(({ method }) => method === 'eth_getLogs');
const rangeOf = ({ params: [filter] }: ProxiedRequest): [number, number] => [
  Number(filter.fromBlock),
  Number(filter.toBlock),
];
const rejectOverLimit = (blocks: number, error: { code: number; message: string }) => {
  world.proxies.base.decide = (request) => {
    if (request.method !== 'eth_getLogs') return 'pass';
    const [first, last] = rangeOf(request);
    return last - first + 1 > blocks ? { error } : 'pass';
  };
};

/** A token that says of itself what a test wants, once it has sent an event. */
const disguised = async (to: Address, answers: Partial<Record<keyof typeof SELECTOR, Hex>>): Promise<Address> => {
  const { base } = world.chains;
  const address = await deployToken(base, 'x', 'x');
  await mintToken(base, address, to, 1n);
  const spoken = Object.entries(answers).map(([name, bytes]) => [SELECTOR[name as keyof typeof SELECTOR], bytes]);
  await setContractCode(base, address, fakeContract(Object.fromEntries(spoken)));
  return address;
};

test('an unlisted token appears once its events were searched; requests never search', async () => {
  const wallet = newWallet();
  const token = await deployToken(world.chains.base, 'Found', 'FND', 4);
  await mintToken(world.chains.base, token, wallet, 12_345n);
  await mintToken(world.chains.base, listed, wallet, 1n);
  expect(await symbols(wallet)).toEqual(['LST']);
  expect(searched()).toEqual([]);
  await turn();
  const [request] = searched();
  expect(request?.params[0].topics).toEqual([TRANSFER, null, pad(wallet)]);
  world.proxies.base.forget();
  expect(await balances(wallet)).toMatchObject([
    { symbol: 'LST' },
    { symbol: 'FND', name: 'Found', address: token.toLowerCase(), balance: '12345', decimals: 4 },
  ]);
  expect(searched()).toEqual([]);
});

test('unlisted tokens sort after listed ones without a price, and before them with a price', async () => {
  const wallet = newWallet();
  const spam = await deployToken(world.chains.base, 'Free money', 'SPAM');
  const priced = await deployToken(world.chains.base, 'Priced', 'PRC');
  for (const token of [spam, priced, listed]) await mintToken(world.chains.base, token, wallet, 10n ** 18n);
  world.prices.set(`base:${priced}`, 2);
  await balances(wallet);
  await turn();
  world.later(60_001);
  expect(await symbols(wallet)).toEqual(['PRC', 'LST', 'SPAM']);
});

test('a repeated request searches new blocks only', async () => {
  const wallet = newWallet();
  const { base } = world.chains;
  const first = await deployToken(base, 'First', 'ONE');
  await mintToken(base, first, wallet, 1n);
  await balances(wallet);
  await turn();
  world.proxies.base.forget();
  await turn();
  expect(searched()).toEqual([]);

  await base.mine(50);
  const head = Number(await base.public.getBlockNumber());
  const second = await deployToken(base, 'Second', 'TWO');
  await mintToken(base, second, wallet, 1n);
  // Within a minute nothing is searched again.
  await balances(wallet);
  await turn();
  expect(searched()).toEqual([]);
  world.later(60_001);
  await balances(wallet);
  await turn();
  expect(searched()).toHaveLength(1);
  // Blocks that may have been replaced are looked at a second time.
  const [from, to] = rangeOf(searched()[0] as ProxiedRequest);
  expect(from).toBeGreaterThan(head - 50 - 33);
  expect(to).toBe(head + 2);
  expect((await symbols(wallet)).sort()).toEqual(['ONE', 'TWO']);
});

test.each([
  ['in plain words', { code: -32_000, message: 'block range is too large, limit is 16 blocks' }],
  ['as an invalid parameter', { code: -32_602, message: 'ranges over 16 blocks are not supported' }],
])(
  'an endpoint that limits ranges %s is asked for fewer blocks, down to the first',
  async (_name, error) => {
    const wallet = newWallet();
    const { base } = world.chains;
    const token = await deployToken(base, 'Old', 'OLD');
    await mintToken(base, token, wallet, 5n);
    await base.mine(150);
    await balances(wallet);
    rejectOverLimit(16, error);
    const head = Number(await base.public.getBlockNumber());
    for (let turns = 0; turns < 4; turns += 1) await turn();
    expect(warnings).toEqual([]);
    expect(await symbols(wallet)).toEqual(['OLD']);
    const taken = searched()
      .map(rangeOf)
      .filter(([first, last]) => last - first < 16)
      .sort(([a], [b]) => a - b);
    // Every block once, from the first to the newest.
    expect(taken[0]?.[0]).toBe(0);
    expect(taken.at(-1)?.[1]).toBe(head);
    for (const [index, [first]] of taken.slice(1).entries()) expect(first).toBe((taken[index]?.[1] ?? 0) + 1);
    // And it is remembered how many it took: the next wallet begins there.
    const [kept] = await world.network.sql<{ span: number }>(
      'select span from transfer_endpoint where chain_id = 8453',
    );
    expect(kept?.span).toBeLessThanOrEqual(32);
    expect(kept?.span).toBeGreaterThan(3);
  },
  30_000,
);

test.each([
  ['has no such method', { code: -32_601, message: 'the method eth_getLogs does not exist' }],
  ['refuses every range', { code: -32_000, message: 'eth_getLogs is not part of your plan' }],
])('an endpoint that %s is stored, reported once, and retried after a day', async (_name, error) => {
  const wallet = newWallet();
  await balances(wallet);
  rejectOverLimit(0, error);
  await turn();
  expect(warnings).toMatchObject([{ details: { network: 'base', reason: error.message } }]);
  expect(searched().length).toBeLessThan(15);
  world.proxies.base.forget();
  world.later(DAY_MS - 60_000);
  const another = newWallet();
  await balances(another);
  await turn();
  expect(searched()).toEqual([]);
  expect(warnings).toHaveLength(1);
  // Balances do not depend on it.
  expect(await symbols(another)).toEqual([]);
  world.later(120_000);
  world.proxies.base.decide = () => 'pass';
  await turn();
  expect(searched().length).toBeGreaterThan(0);
});

test('a search resumes where a round ended', async () => {
  const wallet = newWallet();
  const token = await deployToken(world.chains.base, 'Late', 'LATE');
  await mintToken(world.chains.base, token, wallet, 5n);
  await world.chains.base.mine(150);
  await balances(wallet);
  rejectOverLimit(4, { code: -32_000, message: 'range too large' });
  await turn();
  const first = searched().map(rangeOf);
  expect(await symbols(wallet)).toEqual([]);
  world.proxies.base.forget();
  await turn();
  const lowest = Math.min(...first.filter(([from, to]) => to - from < 4).map(([from]) => from));
  expect(Math.max(...searched().map((request) => rangeOf(request)[1]))).toBe(lowest - 1);
});

test('names of tokens are cleaned, and contracts that are not tokens are left out', async () => {
  const wallet = newWallet();
  const one: Hex = pad('0x01', { size: 32 });
  const abiString = (bytes: Hex): Hex =>
    `0x${pad('0x20', { size: 32 }).slice(2)}${pad(toHex((bytes.length - 2) / 2), { size: 32 }).slice(2)}${bytes.slice(2).padEnd(128, '0')}`;
  const sound = { balanceOf: one, decimals: pad(toHex(18), { size: 32 }), totalSupply: one };
  await disguised(wallet, {
    ...sound,
    name: stringToHex('Maker', { size: 32 }),
    symbol: stringToHex('MKR', { size: 32 }),
  });
  await disguised(wallet, {
    ...sound,
    name: abiString(stringToHex('U\0S\u202eD\u0007')),
    symbol: abiString('0x41ff42c0'),
  });
  await disguised(wallet, {
    ...sound,
    decimals: pad(toHex(255), { size: 32 }),
    symbol: stringToHex('WIDE', { size: 32 }),
  });
  await disguised(wallet, { ...sound, name: toHex(1, { size: 4 }) });
  // None of these is an ERC-20 token.
  await disguised(wallet, { ...sound, decimals: pad(toHex(256), { size: 32 }) });
  await disguised(wallet, { balanceOf: one, totalSupply: one });
  await disguised(wallet, {});
  await balances(wallet);
  await turn();
  expect(warnings).toEqual([]);
  const shown = (await balances(wallet)).map(({ name, symbol, decimals }) => ({ name, symbol, decimals }));
  expect(shown).toHaveLength(4);
  expect(shown).toEqual(
    expect.arrayContaining([
      { name: 'Maker', symbol: 'MKR', decimals: 18 },
      { name: 'USD', symbol: 'AB', decimals: 18 },
      { name: '', symbol: 'WIDE', decimals: 255 },
      { name: '', symbol: '', decimals: 18 },
    ]),
  );
});

test('wallets that are no longer requested are deleted', async () => {
  const wallet = newWallet();
  const token = await deployToken(world.chains.base, 'Gone', 'GONE');
  await mintToken(world.chains.base, token, wallet, 1n);
  await balances(wallet);
  await turn();
  expect(await symbols(wallet)).toEqual(['GONE']);
  const { db } = world.network.app.core;
  await deleteOldTransferSearches(db, new Date(world.clock() - 1000 * DAY_MS));
  expect(await symbols(wallet)).toEqual(['GONE']);
  world.later(DAY_MS);
  await deleteOldTransferSearches(db, new Date(world.clock() - 1000));
  for (const table of ['transfer_search', 'wallet_token', 'chain_token']) {
    const [row] = await world.network.sql<{ n: number }>(`select count(*)::int as n from ${table}`);
    expect([table, row?.n]).toEqual([table, 0]);
  }
});

test('a transfer of an NFT does not count', async () => {
  const wallet = newWallet();
  const { base } = world.chains;
  const collection = pad('0xc011ec', { size: 20 });
  // Says on every call that the wallet received the NFT 1: LOG4 with the token among the topics.
  await setContractCode(base, collection, `0x600173${wallet.slice(2)}60007f${TRANSFER.slice(2)}60006000a400`);
  const hash = base.wallet.sendTransaction({ account: base.account(0), chain: base.wallet.chain, to: collection });
  expect((await base.receipt(hash)).logs).toHaveLength(1);
  await balances(wallet);
  await turn();
  expect(searched()).toHaveLength(1);
  expect(
    await world.network.sql('select from wallet_token where wallet = $1', [Buffer.from(wallet.slice(2), 'hex')]),
  ).toEqual([]);
});
