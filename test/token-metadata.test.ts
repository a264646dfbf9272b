import { type Address, getAddress, type Hex, pad, stringToHex, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fakeContract, LARGE_RETURN, SELECTOR, UNLIMITED_BALANCE } from './support/fake-contract.js';
import type { TestResponse } from './support/network.js';
import {
  deployToken,
  mintToken,
  NATIVE,
  setContractCode,
  startTokenEnvironment,
  type TokenEnvironment,
} from './support/token-environment.js';

const ONE = '/v2/onchain/token/metadata';
const BATCH = '/v2/onchain/token/metadata/batch';
const HOLDER: Address = '0x00000000000000000000000000000000000000a1';
/** Chainlink's ETH / USD on Base, where the service looks for it. */
const ETH_FEED: Address = '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70';
const WETH: Address = '0x4200000000000000000000000000000000000006';

let world: TokenEnvironment;
let listed: Address;
let unlisted: Address;

beforeAll(async () => {
  world = await startTokenEnvironment(
    async ({ base }) => {
      listed = await deployToken(base, 'Onchain name', 'ONC', 6);
      unlisted = await deployToken(base, 'Unlisted', 'UNL', 8);
      await mintToken(base, listed, HOLDER, 7_000_000n);
      await mintToken(base, unlisted, HOLDER, 123n);
      const logoURI = 'ipfs://QmImage';
      return [{ chainId: 8453, address: listed, name: 'Name of the list', symbol: 'LST', decimals: 6, logoURI }];
    },
    { CASTELLAN_PRICE_SOURCE: 'onchain,api' },
  );
});
afterAll(() => world.stop());
afterEach(() => {
  for (const proxy of Object.values(world.proxies)) proxy.decide = () => 'pass';
  world.prices.coins.clear();
  world.later(60_001);
});

const one = (network: string, address: string): Promise<TestResponse> =>
  world.network.get(`${ONE}?network=${network}&address=${address}`);
const batch = (networks: readonly string[], addresses: readonly string[]): Promise<TestResponse> =>
  world.network.get(`${BATCH}?networks=${networks.join(',')}&addresses=${addresses.join(',')}`);

const NOTHING = {
  market_cap: null,
  fdv: null,
  liquidity: null,
  volume_6h: null,
  volume_24h: null,
  price_change_6h_pct: null,
  price_change_24h_pct: null,
  holder_count: null,
  description: null,
};

test("a listed token has the list's names and the contract's supply", async () => {
  world.prices.set(`base:${listed}`, 0.5);
  const answer = await one('base', getAddress(listed));
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    token: {
      network: 'base',
      address: listed.toLowerCase(),
      name: 'Name of the list',
      symbol: 'LST',
      decimals: 6,
      total_supply: '7000000',
      image_url: 'ipfs://QmImage',
      price_usd: '0.5',
      price_source: 'market_data',
      price_updated_at:
        Math.floor((world.prices.coins.get(`base:${listed.toLowerCase()}`) as { timestamp: number }).timestamp) * 1000,
      ...NOTHING,
    },
  });
});

test("another token has its contract's properties, and null for unknown ones", async () => {
  expect((await one('base', unlisted)).body.token).toEqual({
    network: 'base',
    address: unlisted.toLowerCase(),
    name: 'Unlisted',
    symbol: 'UNL',
    decimals: 8,
    total_supply: '123',
    image_url: null,
    price_usd: null,
    price_source: null,
    price_updated_at: null,
    ...NOTHING,
  });
});

test('a price that is dated far ahead is unknown', async () => {
  world.prices.coins.set('coingecko:ethereum', { price: 3000, timestamp: 1e300, confidence: 0.99 });
  expect((await one('arbitrum', NATIVE)).body.token).toMatchObject({ price_usd: null, price_updated_at: null });
});

test('the native coin has no supply, and its name on each network', async () => {
  world.prices.set('coingecko:ethereum', 3000);
  const { body } = await one('arbitrum', NATIVE);
  expect(body.token).toMatchObject({
    name: 'Ether',
    symbol: 'ETH',
    decimals: 18,
    total_supply: null,
    price_usd: '3000',
  });
});

test.each([
  ['no code', undefined],
  ['code that reverts', '0x60006000fd'],
  ['code that never ends', UNLIMITED_BALANCE],
  ['code that floods', LARGE_RETURN],
  [
    '256 decimals',
    fakeContract({
      [SELECTOR.decimals]: pad('0x0100', { size: 32 }),
      [SELECTOR.totalSupply]: pad('0x01', { size: 32 }),
    }),
  ],
  ['no supply', fakeContract({ [SELECTOR.decimals]: pad('0x12', { size: 32 }) })],
] as const)('an address with %s is no token', async (_name, code) => {
  const address: Address = '0x00000000000000000000000000000000000bad11';
  await setContractCode(world.chains.base, address, (code ?? '0x') as Hex);
  const { status, body } = await one('base', address);
  expect([status, body.code, body.property]).toEqual([404, 'NotFound', 'address']);
  const list = await batch(['base', 'base', 'base'], [unlisted, address, listed]);
  expect(list.body.tokens.map((token: { symbol: string } | null) => token?.symbol ?? null)).toEqual([
    'UNL',
    null,
    'LST',
  ]);
});

test('hostile names are cleaned', async () => {
  const address: Address = '0x00000000000000000000000000000000000bad12';
  const word = (value: number): Hex => pad(toHex(value), { size: 32 });
  const answers = {
    [SELECTOR.decimals]: word(255),
    [SELECTOR.totalSupply]: `0x${'ff'.repeat(32)}`,
    [SELECTOR.symbol]: stringToHex('OLD', { size: 32 }),
    [SELECTOR.name]: `0x${word(32).slice(2)}${word(12).slice(2)}${stringToHex('a\0b\u202ec\u0085d', { size: 32 }).slice(2)}`,
  } as const;
  await setContractCode(world.chains.base, address, fakeContract(answers));
  expect((await one('base', address)).body.token).toMatchObject({
    name: 'abcd',
    symbol: 'OLD',
    decimals: 255,
    total_supply: (2n ** 256n - 1n).toString(),
  });
});

test('a hundred tokens are paired with their networks and may repeat', async () => {
  const networks = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 'base' : 'ethereum'));
  const addresses = networks.map((_, index) => (index === 4 ? NATIVE : index % 3 === 0 ? unlisted : listed));
  const { status, body } = await batch(networks, addresses);
  expect(status).toBe(200);
  expect(body.tokens).toHaveLength(100);
  for (const [index, token] of body.tokens.entries()) {
    if (networks[index] === 'ethereum') expect(token).toBeNull();
    else expect(token).toMatchObject({ network: 'base', address: addresses[index]?.toLowerCase() });
  }
});

test('on a network that does not respond only listed tokens are known, the others are reported', async () => {
  world.proxies.base.decide = () => ({ error: { code: -32_000, message: 'no' } });
  const list = await batch(['base', 'base', 'ethereum'], [listed, unlisted, NATIVE]);
  expect([list.status, list.headers.get('x-partial-networks')]).toEqual([200, 'base']);
  expect(list.body.tokens).toMatchObject([{ symbol: 'LST', total_supply: null }, null, { symbol: 'ETH' }]);
  for (const answer of [await batch(['base'], [unlisted]), await one('base', unlisted)])
    expect([answer.status, answer.body.code]).toEqual([500, 'ChainUnavailable']);
});

test.each([
  ['network', 'address=0x00000000000000000000000000000000000000a1'],
  ['network', 'network=base-sepolia&address=0x00000000000000000000000000000000000000a1'],
  ['network', 'network=optimism&address=0x00000000000000000000000000000000000000a1'],
  ['address', 'network=base&address=0xzz'],
  ['address', `network=base&address=0x${'aB'.repeat(20)}`],
])('one token: a wrong %s is named: %s', async (property, query) => {
  const { status, body } = await world.network.get(`${ONE}?${query}`);
  expect([status, body.code, body.property]).toEqual([400, 'InvalidField', property]);
});

test.each([
  ['addresses', `networks=base,base&addresses=${HOLDER}`],
  ['addresses', `networks=base&addresses=${HOLDER},${HOLDER}`],
  ['addresses', 'networks=base'],
  ['addresses', 'networks=base&addresses='],
  ['addresses', `networks=base&addresses=0x${'aB'.repeat(20)}`],
  ['networks', `networks=base,,base&addresses=${HOLDER},${HOLDER},${HOLDER}`],
  ['networks', `networks=optimism&addresses=${HOLDER}`],
  ['networks', `networks=${Array(101).fill('base').join(',')}&addresses=${Array(101).fill(HOLDER).join(',')}`],
])('several tokens: wrong %s are named: %s', async (property, query) => {
  const { status, body } = await world.network.get(`${BATCH}?${query}`);
  expect([status, body.code, body.property]).toEqual([400, 'InvalidField', property]);
});

/** What `latestRoundData()` answers: round, answer, start, time, round. */
const round = (answer: bigint, seconds: number): Hex =>
  `0x${[1n, BigInt.asUintN(256, answer), BigInt(seconds), BigInt(seconds), 1n].map((word) => pad(toHex(word), { size: 32 }).slice(2)).join('')}`;
const feed = (answer: bigint, seconds: number): Hex =>
  fakeContract({ [SELECTOR.latestRoundData]: round(answer, seconds), [SELECTOR.decimals]: pad('0x08', { size: 32 }) });
const now = (): number => Math.floor(world.clock() / 1000);

test('a price feed on the network takes precedence over the price API, for WETH as well', async () => {
  world.prices.set('coingecko:ethereum', 1);
  const updatedAt = now() - 100;
  await setContractCode(world.chains.base, ETH_FEED, feed(312_345_678_900n, updatedAt));
  const { body } = await one('base', NATIVE);
  expect(body.token).toMatchObject({
    price_usd: '3123.456789',
    price_source: 'onchain',
    price_updated_at: updatedAt * 1000,
  });
  const sound = { [SELECTOR.decimals]: pad('0x12', { size: 32 }), [SELECTOR.totalSupply]: pad('0x01', { size: 32 }) };
  await setContractCode(world.chains.base, WETH, fakeContract(sound));
  expect((await one('base', WETH)).body.token).toMatchObject({ symbol: 'WETH', price_usd: '3123.456789' });
});

test.each([
  ['is too old', () => feed(312_345_678_900n, now() - 3601)],
  ['is of the future', () => feed(312_345_678_900n, now() + 3600)],
  ['is negative', () => feed(-1n, now())],
  ['is zero', () => feed(0n, now())],
  [
    'is cut',
    () =>
      fakeContract({
        [SELECTOR.latestRoundData]: pad('0x01', { size: 64 }),
        [SELECTOR.decimals]: pad('0x08', { size: 32 }),
      }),
  ],
  ['is none', (): Hex => '0x'],
])('a feed whose response %s is replaced by the price API', async (_name, code) => {
  await setContractCode(world.chains.base, ETH_FEED, code());
  world.prices.set('coingecko:ethereum', 2999);
  expect((await one('base', NATIVE)).body.token).toMatchObject({ price_usd: '2999', price_source: 'market_data' });
});
