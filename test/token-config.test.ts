import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../src/app.js';
import { loadConfig } from '../src/config/config.js';
import { ConfigError, type ConfigProblem } from '../src/config/reader.js';
import { MasterKey } from '../src/config/secret.js';
import { createLog } from '../src/log.js';
import { startChain, type TestChain } from './support/chain.js';
import { type Network, startNetwork } from './support/network.js';
import { deployToken, mintToken, NATIVE } from './support/token-environment.js';

const WALLET: Address = '0x00000000000000000000000000000000000000a1';

let folder: string;
let chain: TestChain;
let network: Network;
let token: Address;

const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const listOf = (address: string, symbol: string) => ({
  name: 'A list',
  tokens: [{ chainId: 31_337, address, name: symbol, symbol, decimals: 2 }],
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-token-'));
  chain = await startChain();
  token = await deployToken(chain, 'Token', 'TKN', 2);
  await mintToken(chain, token, WALLET, 250n);
  await chain.test.setBalance({ address: WALLET, value: 5n });
  const lists = [await file('first.json', listOf(token, 'ONE')), await file('second.json', listOf(token, 'TWO'))];
  const prices = [
    { chainId: 31_337, address: token, price_usd: '0.333' },
    { chainId: 31_337, address: NATIVE, price_usd: '2500' },
  ];
  const CASTELLAN_PRICE_FILE = await file('prices.json', { prices });
  network = await startNetwork({ CASTELLAN_TOKEN_LIST: lists.join(', '), CASTELLAN_PRICE_FILE }, createLog('silent'), {
    chain: chain.url,
  });
});
afterAll(async () => {
  await network.stop();
  await chain.stop();
  await rm(folder, { recursive: true, force: true });
});

const problemsOf = async (environment: Record<string, string>): Promise<readonly ConfigProblem[]> => {
  try {
    const config = loadConfig('dev', { CASTELLAN_DATA_DIR: folder, ...environment });
    const app = await createApp(config, { log: createLog('silent') });
    await app.stop();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('it starts');
};

test("the operator's tokens and prices are used, also on the local chain", async () => {
  const query = `networks=base,robinhood&address=${WALLET}`;
  const { body } = await network.get(`/v2/onchain/token/balances?${query}`);
  const shown = body.balances.map((one: Record<string, unknown>) => [
    one.network,
    one.symbol,
    one.balance,
    one.price_usd,
    one.balance_usd,
  ]);
  // The later list counts, and a price is not rounded.
  expect(shown).toEqual([
    ['base', 'TWO', '250', '0.333', '0.8325'],
    ['robinhood', 'TWO', '250', '0.333', '0.8325'],
    ['base', 'ETH', '5', '2500', '0.0000000000000125'],
    ['robinhood', 'ETH', '5', '2500', '0.0000000000000125'],
  ]);
  const metadata = await network.get(`/v2/onchain/token/metadata?network=base&address=${token}`);
  expect(metadata.body.token).toMatchObject({ price_usd: '0.333', price_source: null, price_updated_at: null });
});

test('missing and invalid files are reported together', async () => {
  const wrong = await file('wrong.json', listOf('0x12', 'BAD'));
  const problems = await problemsOf({
    CASTELLAN_TOKEN_LIST: `${join(folder, 'absent.json')},${wrong}`,
    CASTELLAN_PRICE_FILE: await file('no-price.json', '[]'),
  });
  expect(problems.map(({ variable }) => variable)).toEqual([
    'CASTELLAN_TOKEN_LIST',
    'CASTELLAN_TOKEN_LIST',
    'CASTELLAN_PRICE_FILE',
  ]);
  expect(problems[0]?.problem).toContain('absent.json cannot be read (ENOENT)');
  expect(problems[1]?.problem).toContain('wrong.json is no token list: tokens[0].address');
  expect(problems[2]?.problem).toContain('no-price.json has no array "prices"');
});

test.each([
  ['CASTELLAN_PRICE_SOURCE', 'coingecko'],
  ['CASTELLAN_PRICE_SOURCE', 'api,api'],
  ['CASTELLAN_PRICE_SOURCE', 'off,api'],
  ['CASTELLAN_PRICE_API_URL', 'coins.example'],
  ['CASTELLAN_PRICE_API_URL', 'https://user:secret@coins.example'],
])('%s cannot be %s', async (variable, value) => {
  expect((await problemsOf({ [variable]: value })).map((one) => one.variable)).toEqual([variable]);
});

test('prices are not requested in development, but in production', () => {
  const dev = (environment = {}) => loadConfig('dev', { CASTELLAN_DATA_DIR: folder, ...environment }).tokens;
  expect(dev()).toEqual({ lists: [], priceFile: undefined, priceSources: [], priceApi: undefined });
  expect(
    dev({ CASTELLAN_PRICE_SOURCE: 'API, onchain', CASTELLAN_PRICE_API_URL: 'https://coins.example/v1/' }),
  ).toMatchObject({
    priceSources: ['api', 'onchain'],
    priceApi: 'https://coins.example/v1',
  });
  const serve = {
    PUBLIC_URL: 'https://social.example',
    CASTELLAN_MASTER_KEY: MasterKey.generate(),
    CASTELLAN_EMBEDDED: 'true',
  };
  expect(loadConfig('serve', serve).tokens.priceSources).toEqual(['onchain', 'api']);
  expect(loadConfig('serve', { ...serve, CASTELLAN_PRICE_SOURCE: 'off' }).tokens.priceSources).toEqual([]);
});
