import { type Address, getAddress, type Hex, pad, parseUnits, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { jobList } from '../src/job/job-list.js';
import { createSecondApp, startSecondService } from './support/app.js';
import { fakeContract, LARGE_RETURN, SELECTOR, UNLIMITED_BALANCE } from './support/fake-contract.js';
import type { TestResponse } from './support/network.js';
import {
  balanceOf,
  deployToken,
  type EnvironmentNetwork,
  type ListEntry,
  mintToken,
  NATIVE,
  setContractCode,
  startTokenEnvironment,
  type TokenEnvironment,
} from './support/token-environment.js';

const PATH = '/v2/onchain/token/balances';
const ALL: readonly EnvironmentNetwork[] = ['arbitrum', 'base', 'ethereum'];
const MINUTE_MS = 60_000;

/** Contracts of a list that are nothing of the kind, and one that holds as much as a number can. */
const HOSTILE = {
  reverts: { at: '0x00000000000000000000000000000000000bad01', code: '0x60006000fd' },
  endless: { at: '0x00000000000000000000000000000000000bad02', code: UNLIMITED_BALANCE },
  flood: { at: '0x00000000000000000000000000000000000bad03', code: LARGE_RETURN },
  short: { at: '0x00000000000000000000000000000000000bad04', code: fakeContract({ [SELECTOR.balanceOf]: '0x01' }) },
  long: {
    at: '0x00000000000000000000000000000000000bad05',
    code: fakeContract({ [SELECTOR.balanceOf]: pad('0x01', { size: 64 }) }),
  },
  gone: { at: '0x00000000000000000000000000000000000bad06', code: '0x' },
} as const satisfies Record<string, { at: Address; code: Hex }>;
const WHALE: Address = '0x00000000000000000000000000000000000bad07';
const MAX = 2n ** 256n - 1n;

let world: TokenEnvironment;
let wallet: Address;
let rare: Address;
let common: Record<EnvironmentNetwork, Address>;

const entry = (chainId: number, address: string, symbol: string, decimals = 18): ListEntry => ({
  chainId,
  address,
  name: `Token ${symbol}`,
  symbol,
  decimals,
});

beforeAll(async () => {
  world = await startTokenEnvironment(async (chains) => {
    wallet = getAddress(chains.base.account(7).address);
    const entries: ListEntry[] = [];
    common = {} as typeof common;
    for (const name of ALL) {
      const chain = chains[name];
      common[name] = await deployToken(chain, 'Common', 'CMN', 6);
      await mintToken(chain, common[name], wallet, 1_500_000n + BigInt(chain.chainId));
      entries.push(entry(chain.chainId, common[name], 'CMN', 6));
    }
    rare = await deployToken(chains.base, 'Rare', 'RARE', 18);
    await mintToken(chains.base, rare, wallet, parseUnits('123.456789012345678901', 18));
    entries.push({ ...entry(8453, rare, 'RARE'), logoURI: 'https://image.example/rare.png' });
    for (const [name, { at, code }] of Object.entries(HOSTILE)) {
      await setContractCode(chains.base, at, code);
      entries.push(entry(8453, at, name));
    }
    await setContractCode(chains.base, WHALE, fakeContract({ [SELECTOR.balanceOf]: toHex(MAX) }));
    entries.push(entry(8453, WHALE, 'WHALE', 255));
    // 400 tokens in all on base, beside those of the list that comes with the service.
    for (let index = entries.length; index < 402; index += 1)
      entries.push(entry(8453, pad(toHex(0xabc_0000 + index), { size: 20 }), `N${index}`));
    return entries;
  });
});
afterAll(() => world.stop());
afterEach(() => {
  for (const proxy of Object.values(world.proxies)) proxy.decide = () => 'pass';
  world.prices.mode = 'fine';
  world.prices.coins.clear();
  // What was known of prices is known no more.
  world.later(MINUTE_MS + 1);
});

const ask = (query: string, headers?: Record<string, string>): Promise<TestResponse> =>
  world.network.get(`${PATH}?${query}`, headers);
const balances = (networks: readonly string[] = ALL, more = ''): Promise<TestResponse> =>
  ask(`networks=${networks.join(',')}&address=${wallet}${more}`);
const of = ({ body }: TestResponse, network: string, address: string) =>
  body.balances.find(
    (one: { network: string; address: string }) => one.network === network && one.address === address.toLowerCase(),
  );
const orderOf = ({ body }: TestResponse): string[] =>
  body.balances.map((one: { network: string; symbol: string }) => `${one.network} ${one.symbol}`);

/** What a network was asked for, but for the search in the background. */
const requestsOf = (name: EnvironmentNetwork): string[] =>
  world.proxies[name].passed
    .map(({ method }) => method)
    .filter((method) => method !== 'eth_getLogs' && method !== 'eth_blockNumber');

const priceEverything = (): void => {
  world.prices.set('coingecko:ethereum', 3000.5);
  for (const name of ALL) world.prices.set(`${name}:${common[name]}`, 1.0001);
  world.prices.set(`base:${rare}`, 0.07);
};

test('balances agree with the chains to the last digit', async () => {
  priceEverything();
  const answer = await balances(ALL, '&limit=100');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-partial-networks')).toBeNull();
  expect(answer.body.next).toEqual({ cursor: null });
  for (const name of ALL)
    for (const token of [NATIVE, common[name]] as Address[]) {
      const onchain = await balanceOf(world.chains[name], token, wallet);
      expect(onchain).toBeGreaterThan(0n);
      expect(of(answer, name, token).balance).toBe(onchain.toString());
    }
  expect(of(answer, 'base', rare)).toEqual({
    network: 'base',
    address: rare.toLowerCase(),
    name: 'Token RARE',
    symbol: 'RARE',
    decimals: 18,
    balance: '123456789012345678901',
    // 123.456789012345678901 times 0.07.
    balance_usd: '8.64197523086419752307',
    price_usd: '0.07',
    image_url: 'https://image.example/rare.png',
  });
  expect(of(answer, 'ethereum', NATIVE)).toEqual({
    network: 'ethereum',
    address: NATIVE,
    name: 'Ether',
    symbol: 'ETH',
    decimals: 18,
    balance: '10000000000000000000000',
    balance_usd: '30005000',
    price_usd: '3000.5',
    image_url: null,
  });
});

test('the most valuable comes first, tokens without a price last, and zero balances are omitted', async () => {
  priceEverything();
  const answer = await balances(ALL, '&limit=100');
  expect(orderOf(answer)).toEqual([
    'arbitrum ETH',
    'base ETH',
    'ethereum ETH',
    'base RARE',
    'arbitrum CMN',
    'base CMN',
    'ethereum CMN',
    'base WHALE',
  ]);
  expect(of(answer, 'base', WHALE)).toMatchObject({
    balance: MAX.toString(),
    decimals: 255,
    balance_usd: null,
    price_usd: null,
  });
});

test('400 listed tokens are read in one call per network, prices in one request', async () => {
  priceEverything();
  await balances();
  for (const proxy of Object.values(world.proxies)) proxy.forget();
  world.later(MINUTE_MS + 1);
  world.prices.asked.length = 0;
  expect((await balances()).status).toBe(200);
  for (const name of ALL) {
    expect([name, ...requestsOf(name)]).toEqual([name, 'eth_call']);
  }
  expect(world.prices.asked).toHaveLength(1);
  expect(new Set(world.prices.asked[0])).toEqual(
    new Set([
      'coingecko:ethereum',
      ...ALL.map((name) => `${name}:${common[name].toLowerCase()}`),
      `base:${rare.toLowerCase()}`,
      `base:${WHALE}`,
    ]),
  );
});

test('contracts that revert, return nonsense or never end are left out, and nothing else is', async () => {
  const answer = await balances(['base'], '&limit=100');
  expect(orderOf(answer).sort()).toEqual(['base CMN', 'base ETH', 'base RARE', 'base WHALE']);
});

test('prices are requested once a minute, unknown ones as well, and once for concurrent requests', async () => {
  world.prices.set('coingecko:ethereum', 3000.5);
  world.prices.asked.length = 0;
  const [first] = await Promise.all([balances(), balances(), balances()]);
  expect(world.prices.asked.flat().sort()).toEqual([...new Set(world.prices.asked.flat())].sort());
  const asked = world.prices.asked.length;
  world.prices.set('coingecko:ethereum', 4000);
  world.prices.set(`base:${rare}`, 1);
  world.later(MINUTE_MS - 20_000);
  const second = await balances();
  expect(world.prices.asked).toHaveLength(asked);
  expect(second.body.balances).toEqual(first?.body.balances);
  expect(of(second, 'base', rare).price_usd).toBeNull();
  world.later(20_001);
  const third = await balances();
  expect(world.prices.asked.length).toBeGreaterThan(asked);
  expect([of(third, 'base', rare).price_usd, of(third, 'base', NATIVE).price_usd]).toEqual(['1', '4000']);
});

test.each(['fault', 'nonsense'] as const)(
  'with a price service in %s prices are null, and nothing else is amiss',
  async (mode) => {
    priceEverything();
    world.prices.mode = mode;
    const answer = await balances(ALL, '&limit=100');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-partial-networks')).toBeNull();
    expect(answer.body.balances).toHaveLength(8);
    for (const one of answer.body.balances) expect([one.price_usd, one.balance_usd]).toEqual([null, null]);
    // Without prices: by network and address.
    const places = answer.body.balances.map((one: { network: string; address: string }) => one.network + one.address);
    expect(places).toEqual([...places].sort());
    // It counts as not asked, soon.
    world.prices.mode = 'fine';
    world.later(10_001);
    expect(of(await balances(), 'base', rare).price_usd).toBe('0.07');
  },
);

test.each([
  ['0', { price: 0 }],
  ['below 0', { price: -1 }],
  ['a text', { price: '1' }],
  ['nobody trusts', { confidence: 0.1 }],
  ['yesterday', { timestamp: Math.floor(Date.now() / 1000) - 86_400 }],
  ['without a time', { timestamp: undefined }],
  ['nothing', null],
])('a price that is %s is ignored', async (_name, fault) => {
  const sound = { price: 2, timestamp: Math.floor(world.clock() / 1000), confidence: 0.9 };
  world.prices.coins.set(`base:${rare.toLowerCase()}`, fault === null ? null : { ...sound, ...fault });
  world.prices.coins.set(`base:${common.base.toLowerCase()}`, { ...sound, price: 1e-7 });
  const answer = await balances(['base']);
  expect(of(answer, 'base', rare)).toMatchObject({ price_usd: null, balance_usd: null });
  // Neighbours are not harmed.
  expect(of(answer, 'base', common.base)).toMatchObject({ price_usd: '0.0000001', balance_usd: '0.0000001508453' });
});

test('all pages of a list show the same balances and prices', async () => {
  priceEverything();
  const whole = (await balances(ALL, '&limit=100')).body.balances;
  const first = await balances(ALL, '&limit=3');
  world.prices.set(`base:${rare}`, 1e9);
  world.later(MINUTE_MS - 5000);
  const seen = [...first.body.balances];
  let { cursor } = first.body.next;
  for (const proxy of Object.values(world.proxies)) proxy.forget();
  while (cursor !== null) {
    const page = await balances([...ALL].reverse(), `&limit=2&cursor=${cursor}`);
    expect(page.status).toBe(200);
    seen.push(...page.body.balances);
    cursor = page.body.next.cursor;
  }
  expect(seen).toEqual(whole);
  for (const name of ALL) expect(requestsOf(name)).toEqual([]);
  expect(orderOf(await balances(ALL, '&limit=1&'))).toEqual(['arbitrum ETH']);
});

test('a cursor expires after a minute and is valid for its list and caller only', async () => {
  priceEverything();
  const { cursor } = (await balances(ALL, '&limit=3')).body.next;
  const other = await createSecondApp(world.network);
  const refused = [
    await ask(`networks=${ALL.join(',')}&address=${wallet}&limit=3&cursor=${cursor}`, other.headers),
    await ask(`networks=base,ethereum&address=${wallet}&limit=3&cursor=${cursor}`),
    await ask(`networks=${ALL.join(',')}&address=${WHALE}&limit=3&cursor=${cursor}`),
    await balances(ALL, `&cursor=${cursor.slice(0, -2)}`),
    await balances(ALL, '&cursor=abc'),
  ];
  for (const { status, body } of refused) expect([status, body.property]).toEqual([400, 'cursor']);
  expect((await balances(ALL, `&limit=3&cursor=${cursor}`)).status).toBe(200);
  world.later(MINUTE_MS);
  const late = await balances(ALL, `&limit=3&cursor=${cursor}`);
  expect([late.status, late.body.property, late.body.code]).toEqual([400, 'cursor', 'InvalidField']);
  expect(late.body.message).toContain('60 s');
});

test.skipIf(process.env.TEST_DATABASE_URL === undefined)('another process continues the list', async () => {
  priceEverything();
  const first = await balances(ALL, '&limit=3');
  const second = await startSecondService(world.network, world.clock);
  try {
    const query = `networks=${ALL.join(',')}&address=${wallet}&limit=100`;
    const rest = await second.get(`${PATH}?${query}&cursor=${first.body.next.cursor}`);
    const whole = await balances(ALL, '&limit=100');
    expect(rest.body).toEqual({ balances: whole.body.balances.slice(3), next: { cursor: null } });
  } finally {
    await second.stop();
  }
});

test('expired lists are deleted', async () => {
  await balances(ALL, '&limit=1');
  const count = async () =>
    (await world.network.sql<{ n: number }>('select count(*)::int as n from balance_list'))[0]?.n;
  expect(await count()).toBeGreaterThan(0);
  world.later(MINUTE_MS);
  const { db } = world.network.app.core;
  const jobs = jobList({
    retention: { eventDays: 7, deliveryDays: 7 },
    db,
    clock: world.clock,
    changed: () => undefined,
    readStoredChannels: async () => undefined,
  });
  await jobs.find(({ name }) => name === 'forget-balances')?.run(new AbortController().signal);
  expect(await count()).toBe(0);
});

test.each([
  ['address', 'networks=base&address=0x12'],
  ['address', 'networks=base'],
  ['address', `networks=base&address=0x${'aB'.repeat(20)}`],
  ['networks', 'address=0x00000000000000000000000000000000000000aa'],
  ['networks', 'networks=&address=0x00000000000000000000000000000000000000aa'],
  ['networks', 'networks=base,solana&address=0x00000000000000000000000000000000000000aa'],
  ['networks', 'networks=base,&address=0x00000000000000000000000000000000000000aa'],
  ['networks', 'networks=base-sepolia&address=0x00000000000000000000000000000000000000aa'],
  ['networks', 'networks=base&networks=ethereum&address=0x00000000000000000000000000000000000000aa'],
  ['limit', 'networks=base&address=0x00000000000000000000000000000000000000aa&limit=0'],
  ['limit', 'networks=base&address=0x00000000000000000000000000000000000000aa&limit=101'],
  ['limit', 'networks=base&address=0x00000000000000000000000000000000000000aa&limit=1.5'],
])('a wrong %s is rejected by name: %s', async (property, query) => {
  const { status, body } = await ask(query);
  expect([status, body.code, body.property]).toEqual([400, 'InvalidField', property]);
});

test('a network without an endpoint is left out and named; without any the variable to set is', async () => {
  const some = await ask(`networks=robinhood,base&address=${wallet}`);
  expect([some.status, some.headers.get('x-partial-networks')]).toEqual([200, 'robinhood']);
  expect(some.body.balances).toEqual((await ask(`networks=base&address=${wallet}`)).body.balances);
  const { status, body } = await ask(`networks=robinhood&address=${wallet}`);
  expect([status, body.message]).toEqual([400, expect.stringContaining('CASTELLAN_RPC_ROBINHOOD')]);
});

test('an address is accepted in any case that its checksum allows', async () => {
  const lower = await ask(`networks=base&address=${wallet.toLowerCase()}`);
  const upper = await ask(`networks=base&address=0x${wallet.slice(2).toUpperCase()}`);
  const checked = await ask(`networks=base,base&address=${wallet}`);
  expect(lower.body.balances).toHaveLength(4);
  expect(upper.body).toEqual(lower.body);
  expect(checked.body).toEqual(lower.body);
});

test('an empty wallet holds nothing', async () => {
  const { status, body } = await ask(`networks=${ALL.join(',')}&address=0x00000000000000000000000000000000000000a1`);
  expect(status).toBe(200);
  expect(body.balances.map((one: { symbol: string }) => one.symbol)).toEqual(['WHALE']);
  expect(body.next).toEqual({ cursor: null });
});

// Last: calls that were given up are tried again for a while.
test.each([
  ['breaks', 'break'],
  ['says no', { error: { code: -32_000, message: 'no' } }],
  ['answers too little', { result: '0x01' }],
] as const)('a network that %s is told in a header, and the others are there', async (_name, result) => {
  priceEverything();
  world.proxies.base.decide = ({ method }) => (method === 'eth_call' ? result : 'pass');
  const answer = await balances(ALL, '&limit=2');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-partial-networks')).toBe('base');
  expect(orderOf(answer)).toEqual(['arbitrum ETH', 'ethereum ETH']);
  // The pages after it are of the same list, and say so.
  world.proxies.base.decide = () => 'pass';
  const rest = await balances(ALL, `&limit=100&cursor=${answer.body.next.cursor}`);
  expect(rest.headers.get('x-partial-networks')).toBe('base');
  expect(orderOf(rest)).toEqual(['arbitrum CMN', 'ethereum CMN']);
});

test('a network and a price API that time out cost only their part of the response, within ten seconds', async () => {
  priceEverything();
  world.proxies.base.decide = ({ method }) => (method === 'eth_call' ? 'wait' : 'pass');
  world.prices.mode = 'silent';
  const began = performance.now();
  const answer = await balances(ALL, '&limit=100');
  expect(performance.now() - began).toBeLessThan(10_000);
  expect([answer.status, answer.headers.get('x-partial-networks')]).toEqual([200, 'base']);
  expect(answer.body.balances).toHaveLength(4);
  for (const one of answer.body.balances) expect(one.price_usd).toBeNull();
}, 30_000);

test('without any network there is an error', async () => {
  for (const proxy of Object.values(world.proxies)) proxy.decide = () => 'break';
  const answer = await balances();
  expect([answer.status, answer.body.code]).toEqual([500, 'ChainUnavailable']);
  expect(answer.body.message).toContain('arbitrum, base, ethereum');
}, 30_000);
