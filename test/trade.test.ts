import { type Account, type Address, encodeFunctionData, type Hex, parseAbi, parseEther, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecondApp } from './support/app.js';
import { transferForgerAbi, transferForgerBytecode } from './support/artifact/transfer-forger.js';
import type { TestChain } from './support/chain.js';
import type { Network } from './support/network.js';
import { someone } from './support/nft.js';
import type { RpcProxy } from './support/rpc-proxy.js';
import { FIDS } from './support/seed.js';
import { deployToken, mintToken, NATIVE, setContractCode } from './support/token-environment.js';
import { ETHER_PRICE, startTradeNetwork, type Trade, type TradeNetwork } from './support/trade.js';
import { type Market, ON_BASE } from './support/uniswap.js';

const FORGER = { abi: transferForgerAbi, bytecode: transferForgerBytecode };
const tokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
]);

let trading: TradeNetwork;
let chain: TestChain;
let proxy: RpcProxy;
let network: Network;
let market: Market;
let alice: Account;
let gold: Address;
let silver: Address;
/** Its wallet is not watched. */
let stranger: Account;
let searched: TradeNetwork['searched'];
let tradesOf: TradeNetwork['tradesOf'];
let tradeOf: TradeNetwork['tradeOf'];

beforeAll(async () => {
  trading = await startTradeNetwork();
  ({ chain, proxy, network, market, alice, gold, silver, searched, tradesOf, tradeOf } = trading);
  stranger = chain.account(7);
}, 180_000);
afterAll(() => trading.stop());

const sidesOf = (trade: Trade | undefined) => {
  const { sending_fungible: sent, receiving_fungible: got } = trade?.transaction.net_transfer ?? {};
  return [sent?.token.symbol, Number(sent?.balance.in_token), got?.token.symbol, Number(got?.balance.in_token)];
};

describe('on Uniswap v2', () => {
  let pair: Address;
  let other: Address;
  let coin: Address;
  beforeAll(async () => {
    pair = await market.pair([
      [gold, parseEther('1000')],
      [silver, 1_000_000_000n],
    ]);
    coin = await market.pair([
      [gold, parseEther('1000')],
      [ON_BASE.wrapped, parseEther('10')],
    ]);
    other = await market.pair([
      [silver, 1_000_000_000n],
      [ON_BASE.wrapped, parseEther('10')],
    ]);
  });

  test('token to token', async () => {
    const hash = await market.swapV2(alice, gold, [pair], parseEther('2'));
    const trade = await tradeOf(hash, gold);
    const [sold, amount, bought, got] = sidesOf(trade);
    expect([sold, amount, bought]).toEqual(['GLD', 2, 'SLV']);
    expect(got).toBeCloseTo(1.99, 2);
    expect(trade?.trader.fid).toBe(FIDS.alice);
    expect(trade?.pool).toEqual({
      object: 'pool',
      address: pair.toLowerCase(),
      protocol_family: 'uniswap',
      protocol_version: 'v2',
    });
    // Nobody knows a price of either.
    expect(trade?.transaction.net_transfer.sending_fungible.balance.in_usd).toBeNull();
    // It is among the trades of the other token, too.
    expect(await tradeOf(hash, silver)).toEqual(trade);
  });

  test('the coin to a token, by its balance and not by the value alone', async () => {
    const trade = await tradeOf(
      await market.swapV2(alice, ON_BASE.wrapped, [coin], 0n, { value: parseEther('0.5') }),
      gold,
    );
    const [sold, amount, bought, got] = sidesOf(trade);
    expect([sold, amount, bought]).toEqual(['ETH', 0.5, 'GLD']);
    expect(got).toBeCloseTo(47.48, 1);
    const { sending_fungible: sent, receiving_fungible: received } = trade?.transaction.net_transfer ?? {};
    expect([sent?.balance.in_usd, received?.balance.in_usd]).toEqual([0.5 * ETHER_PRICE, 0.5 * ETHER_PRICE]);
    expect(sent?.token.address).toBe(NATIVE);
  });

  test('a token to the coin, and trades of the wrapped coin are those of the coin', async () => {
    const hash = await market.swapV2(alice, gold, [coin], parseEther('10'), { unwraps: true });
    const trade = await tradeOf(hash, gold);
    const [sold, amount, bought, got] = sidesOf(trade);
    expect([sold, amount, bought]).toEqual(['GLD', 10, 'ETH']);
    expect(got).toBeGreaterThan(0.1);
    expect(got).toBeLessThan(0.12);
    expect(await tradeOf(hash, ON_BASE.wrapped)).toEqual(trade);
    expect(await tradeOf(hash, NATIVE)).toEqual(trade);
  });

  test('a route through several pools is one trade without a pool', async () => {
    const hash = await market.swapV2(alice, silver, [other, coin], 5_000_000n);
    const trade = await tradeOf(hash, gold);
    const [sold, amount, bought] = sidesOf(trade);
    expect([sold, amount, bought, trade?.pool]).toEqual(['SLV', 5, 'GLD', undefined]);
  });

  test('a pool of an unknown factory has no protocol', async () => {
    const stray = someone(30);
    await setContractCode(chain, stray, (await chain.public.getCode({ address: pair })) as Hex);
    for (const index of [5, 6, 7, 8, 12]) {
      const value = await chain.public.getStorageAt({ address: pair, slot: `0x${index.toString(16)}` });
      if (value) await chain.test.setStorageAt({ address: stray, index, value });
    }
    // It names the factory of Uniswap, which knows another pair of these tokens.
    await mintToken(chain, gold, stray, parseEther('2000'));
    await mintToken(chain, silver, stray, 2_000_000_000n);
    const trade = await tradeOf(await market.swapV2(alice, gold, [stray], parseEther('1')), gold);
    expect(trade?.pool).toEqual({ object: 'pool', address: stray });
  });

  test('trades of wallets that are not watched are not found', async () => {
    const hash = await market.swapV2(stranger, gold, [pair], parseEther('1'));
    expect(await tradeOf(hash, gold)).toBeUndefined();
  });
});

test('on Uniswap v3', async () => {
  const pool = await market.pool([gold, ON_BASE.wrapped]);
  const bought = await tradeOf(
    await market.swapV3(alice, [ON_BASE.wrapped, gold], parseEther('0.25'), parseEther('0.25')),
    gold,
  );
  expect(sidesOf(bought)?.slice(0, 3)).toEqual(['ETH', 0.25, 'GLD']);
  expect(bought?.pool).toMatchObject({
    address: pool.toLowerCase(),
    protocol_family: 'uniswap',
    protocol_version: 'v3',
  });
  const sold = await tradeOf(await market.swapV3(alice, [gold, ON_BASE.wrapped], parseEther('1')), gold);
  expect(sidesOf(sold)?.slice(0, 3)).toEqual(['GLD', 1, 'ETH']);
});

test('on Uniswap v4, whose pools hold the coin itself', async () => {
  const key = await market.v4Pool(zeroAddress, gold);
  const bought = await tradeOf(await market.swapV4(alice, key, true, parseEther('0.5'), parseEther('0.5')), gold);
  expect(sidesOf(bought)?.slice(0, 3)).toEqual(['ETH', 0.5, 'GLD']);
  expect(bought?.pool).toMatchObject({ address: ON_BASE.v4, protocol_family: 'uniswap', protocol_version: 'v4' });
  // An endpoint without the state of past blocks: the event of the pool tells what the coin side was.
  proxy.decide = ({ method }) =>
    method === 'eth_getBalance' ? { error: { code: -32_000, message: 'missing trie node' } } : 'pass';
  const sold = await tradeOf(await market.swapV4(alice, key, false, parseEther('0.5')), gold);
  proxy.decide = () => 'pass';
  const [given, amount, token, got] = sidesOf(sold);
  expect([given, amount, token]).toEqual(['GLD', 0.5, 'ETH']);
  expect(got).toBeGreaterThan(0.49);
});

describe('what is no trade', () => {
  test('an airdrop, a payment, and transfers that contracts only claim', async () => {
    const spam = await deployToken(chain, 'Spam', 'SPAM');
    const airdrop = await market.send({
      address: spam,
      abi: tokenAbi,
      functionName: 'mint',
      args: [alice.address, 5n],
    });
    const paid = await market.send(
      { address: gold, abi: tokenAbi, functionName: 'transfer', args: [stranger.address, 1n] },
      alice,
    );
    const { address: one } = await chain.deploy({ ...FORGER, args: [] }, chain.account(4));
    const { address: other } = await chain.deploy({ ...FORGER, args: [] }, chain.account(4));
    const args = [alice.address, other];
    const forged = await market.send({ address: one, abi: FORGER.abi, functionName: 'claimTrade', args }, stranger);
    await searched(forged);
    for (const token of [spam, gold, one, other]) {
      const hashes = (await tradesOf(token)).map(({ transaction }) => transaction.hash);
      expect(hashes.filter((hash) => [airdrop, paid, forged].includes(hash))).toEqual([]);
    }
  });
});

describe('an operation of a wallet through an entry point of ERC-4337', () => {
  const entryPoint = '0x0000000071727de22e5e9d8baf0edac6f37da032';
  const amount = parseEther('1');
  let forger: Address;
  let pair: Address;
  let copper: Address;
  const operation = (isSuccess: boolean) =>
    ({
      abi: FORGER.abi,
      functionName: 'handle',
      args: [alice.address, gold, copper, amount, market.router, [pair], isSuccess],
    }) as const;

  beforeAll(async () => {
    forger = (await chain.deploy({ ...FORGER, args: [] }, chain.account(4))).address;
    await setContractCode(chain, entryPoint, (await chain.public.getCode({ address: forger })) as Hex);
    copper = await deployToken(chain, 'Copper', 'CPR');
    pair = await market.pair([
      [gold, parseEther('1000')],
      [copper, parseEther('1000')],
    ]);
    await mintToken(chain, gold, alice.address, 4n * amount);
    await market.send(
      { address: gold, abi: tokenAbi, functionName: 'approve', args: [entryPoint, 4n * amount] },
      alice,
    );
  });

  test('is its trade, whoever sent the transaction', async () => {
    const hash = await market.send({ address: entryPoint, ...operation(true) }, stranger);
    expect(sidesOf(await tradeOf(hash, gold)).slice(0, 3)).toEqual(['GLD', 1, 'CPR']);
  });

  test('is no trade if it failed', async () => {
    const hash = await market.send({ address: entryPoint, ...operation(false) }, stranger);
    expect(await tradeOf(hash, gold)).toBeUndefined();
  });

  test('does not include what the bundler claims around it', async () => {
    const args = [alice.address, entryPoint, encodeFunctionData(operation(true))];
    const hash = await market.send({ address: forger, abi: FORGER.abi, functionName: 'bundle', args }, stranger);
    expect(sidesOf(await tradeOf(hash, gold)).slice(0, 3)).toEqual(['GLD', 1, 'CPR']);
  });
});

describe('the lists', () => {
  test('leave out small trades, and hidden traders', async () => {
    const all = await tradesOf(gold);
    expect(all.length).toBeGreaterThan(5);
    const known = all.filter(({ transaction }) => transaction.net_transfer.sending_fungible.balance.in_usd !== null);
    expect(await tradesOf(gold, '&min_amount_usd=0.01')).toEqual(known);
    expect(await tradesOf(gold, '&min_amount_usd=1000')).toEqual(
      known.filter(({ transaction }) => (transaction.net_transfer.sending_fungible.balance.in_usd ?? 0) >= 1000),
    );
    await network.send('POST', '/v2/social/ban/', { fids: [FIDS.alice] });
    expect(await tradesOf(gold)).toEqual([]);
    expect(await tradesOf(gold, '', (await createSecondApp(network)).headers)).toEqual(all);
    await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.alice] });
    expect(await tradesOf(someone(5))).toEqual([]);
    const times = all.map(({ transaction }) => transaction.hash);
    expect(new Set(times).size).toBe(times.length);
  });

  test('leave out what was before the window, and wallets that the trader lost', async () => {
    const all = await tradesOf(gold);
    const trending = async () => (await network.get('/v2/social/fungible/trending/?network=base')).body.trending;
    expect(await tradesOf(gold, '&time_window=1h')).toEqual(all);
    await network.sql("update trade set at = at - interval '2 hours'");
    expect(await tradesOf(gold, '&time_window=1h')).toEqual([]);
    expect(await tradesOf(gold, '&time_window=6h')).toEqual(all);
    await network.sql("update trade set at = at + interval '2 hours'");
    await network.send('POST', '/v2/social/ban/', { fids: [FIDS.alice] });
    expect(await trending()).toEqual([]);
    await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.alice] });
    await network.sql('update trade set fid = $1', [FIDS.bob]);
    expect([await tradesOf(gold), await trending()]).toEqual([[], []]);
    await network.sql('update trade set fid = $1', [FIDS.alice]);
    expect(await tradesOf(gold)).toEqual(all);
  });

  test('rank what was bought by its worth, with a price', async () => {
    const { body } = await network.get('/v2/social/fungible/trending/?network=base');
    const symbols = body.trending.map(({ fungible }: { fungible: { symbol: string } }) => fungible.symbol);
    // The others have no worth, and are as many.
    expect([symbols[0], ...symbols.slice(1).sort()]).toEqual(['GLD', 'CPR', 'SLV']);
    const { price, ...token } = body.trending[0].fungible;
    expect(token).toMatchObject({ object: 'fungible', address: gold.toLowerCase(), decimals: 18 });
    expect(Number(price.in_usd)).toBeGreaterThan(0);
    expect(body.trending[1].fungible).not.toHaveProperty('price');
  });

  test.each([
    ['trades/?network=base&address=gold', 'address'],
    ['trades/?network=base&address=0x12', 'address'],
    [`trades/?network=base&address=${someone(1)}&min_amount_usd=-1`, 'min_amount_usd'],
    [`trades/?network=base&address=${someone(1)}&min_amount_usd=NaN`, 'min_amount_usd'],
    [`trades/?network=base&address=${someone(1)}&time_window=2h`, 'time_window'],
    [`trades/?network=optimism&address=${someone(1)}`, 'network'],
    ['trending/?network=base-sepolia', 'network'],
    ['trending/?network=optimism', 'network'],
  ])('%s is refused', async (path, property) => {
    const { status, body } = await network.get(`/v2/social/fungible/${path}`);
    expect([status, body.property]).toEqual([400, property]);
  });
});

test('a block that is replaced takes its trades back', async () => {
  const snapshot = await chain.test.snapshot();
  const hash = await market.swapV3(alice, [ON_BASE.wrapped, gold], parseEther('0.1'), parseEther('0.1'));
  expect(await tradeOf(hash, gold)).toBeDefined();
  await chain.test.revert({ id: snapshot });
  await chain.mine(12);
  await trading.roundsUntil(async () => !(await tradesOf(gold)).some(({ transaction }) => transaction.hash === hash));
});

test('a window that is not searched yet is named in a header', async () => {
  const partialIn = async (window: string) =>
    (await network.get(`/v2/social/fungible/trending/?network=base&time_window=${window}`)).headers.get(
      'x-partial-networks',
    );
  expect(await partialIn('7d')).toBeNull();
  await network.sql("update trade_search set low_at = now() - interval '1 hour', low = 5");
  expect(await Promise.all(['1h', '6h', '24h', '7d'].map(partialIn))).toEqual([null, 'base', 'base', 'base']);
  await trading.roundsUntil(async () => (await partialIn('7d')) === null);
});

test('an endpoint that does not search events is left alone', async () => {
  proxy.decide = ({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32_601, message: 'method not found' } } : 'pass';
  const refused = () => network.sql('select 1 from trade_search where refused_at is not null');
  await chain.mine(1);
  await trading.roundsUntil(async () => (await refused()).length === 1);
  proxy.forget();
  await trading.round();
  expect(proxy.count('eth_getLogs')).toBe(0);
  proxy.decide = () => 'pass';
});
