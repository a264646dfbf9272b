import { type Account, type Address, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transferForgerAbi, transferForgerBytecode } from './support/artifact/transfer-forger.js';
import type { TestChain } from './support/chain.js';
import type { Network } from './support/network.js';
import type { RpcProxy } from './support/rpc-proxy.js';
import { deployToken, mintToken, setContractCode } from './support/token-environment.js';
import { startTradeNetwork, type TradeNetwork } from './support/trade.js';
import { type Market, ON_BASE } from './support/uniswap.js';

const FORGER = { abi: transferForgerAbi, bytecode: transferForgerBytecode };
const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
]);
const LARGE = 'x'.repeat(11_000_000);

let trading: TradeNetwork;
let chain: TestChain;
let proxy: RpcProxy;
let network: Network;
let market: Market;
let alice: Account;
let gold: Address;
let silver: Address;

beforeAll(async () => {
  trading = await startTradeNetwork();
  ({ chain, proxy, network, market, alice, gold, silver } = trading);
  await market.pool([gold, ON_BASE.wrapped]);
}, 180_000);
afterAll(() => trading.stop());
beforeEach(() => {
  proxy.decide = () => 'pass';
});

const buy = (ether = '0.1') => market.swapV3(alice, [ON_BASE.wrapped, gold], parseEther(ether), parseEther(ether));
const isKnown = async (hash: Hex, token = gold): Promise<boolean> =>
  (await trading.tradesOf(token)).some(({ transaction }) => transaction.hash === hash);
const isStored = async (hash: Hex): Promise<boolean> =>
  (await network.sql(`select 1 from trade where tx_hash = decode($1, 'hex') and not is_gone`, [hash.slice(2)])).length >
  0;
const rounds = async (count: number): Promise<void> => {
  for (let round = 0; round < count; round += 1) await trading.round();
};
const placeForger = async (): Promise<Address> =>
  (await chain.deploy({ ...FORGER, args: [] }, chain.account(4))).address;

describe('a stranger does not stop the search', () => {
  test('with a transaction whose receipt is too large', async () => {
    const one = await placeForger();
    const args = [alice.address, await placeForger()];
    const spam = await market.send(
      { address: one, abi: FORGER.abi, functionName: 'claimTrade', args },
      chain.account(7),
    );
    proxy.decide = ({ method, params }) =>
      method === 'eth_getTransactionReceipt' && params[0] === spam ? { result: LARGE } : 'pass';
    proxy.forget();
    expect(await trading.tradeOf(await buy(), gold)).toBeDefined();
    expect(proxy.passed.filter(({ method, params }) => method.endsWith('Receipt') && params[0] === spam)).toEqual([]);
  });

  test('nor does a transaction of a wallet itself that is too large, which is left out', async () => {
    const hash = await buy();
    proxy.decide = ({ method, params }) =>
      method === 'eth_getTransactionReceipt' && params[0] === hash ? { result: LARGE } : 'pass';
    await network.sql('delete from trade');
    expect(await trading.tradeOf(await buy(), gold)).toBeDefined();
    expect(await isKnown(hash)).toBe(false);
  });

  test('with so many events in a block that no endpoint sends them', async () => {
    const crowded = Number(await chain.public.getBlockNumber()) + 1;
    await chain.mine();
    const topic = alice.address.slice(2).toLowerCase();
    proxy.decide = ({ method, params }) => {
      if (method !== 'eth_getLogs') return 'pass';
      const [{ fromBlock, toBlock, topics }] = params;
      const isCrowded = Number(fromBlock) <= crowded && crowded <= Number(toBlock);
      if (!isCrowded || !JSON.stringify(topics).includes(topic)) return 'pass';
      const error = { code: -32_005, message: 'query returned more than 10000 results' };
      return fromBlock === toBlock ? { result: LARGE } : { error };
    };
    const hash = await buy();
    await trading.roundsUntil(() => isStored(hash));
  }, 90_000);

  test('with a pool whose factory is a known one, and that has no tokens', async () => {
    const pool = await placeForger();
    await mintToken(chain, silver, pool, 5n);
    await mintToken(chain, gold, alice.address, 5n);
    await market.send({ address: gold, abi: tokenAbi, functionName: 'approve', args: [pool, 5n] }, alice);
    const args = [ON_BASE.v2, gold, silver, 5n];
    const hash = await market.send({ address: pool, abi: FORGER.abi, functionName: 'pretend', args }, alice);
    const trade = await trading.tradeOf(hash, silver);
    expect(trade?.pool).toEqual({ object: 'pool', address: pool.toLowerCase() });
  });
});

test('a trade stored without a USD value gets one when its block is read again', async () => {
  const hash = await buy();
  await trading.searched(hash);
  await network.sql('update trade set usd = null');
  const known = () => network.sql(`select 1 from trade where tx_hash = decode($1, 'hex') and usd > 0`, [hash.slice(2)]);
  await chain.mine(1);
  await trading.roundsUntil(async () => (await known()).length === 1);
});

test('getting a bridged dollar is selling', async () => {
  const dollar: Address = '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca';
  await setContractCode(chain, dollar, (await chain.public.getCode({ address: silver })) as Hex);
  const pool = await placeForger();
  await mintToken(chain, dollar, pool, 5n);
  await mintToken(chain, gold, alice.address, 5n);
  await market.send({ address: gold, abi: tokenAbi, functionName: 'approve', args: [pool, 5n] }, alice);
  const call = { address: pool, abi: FORGER.abi, functionName: 'pretend', args: [ON_BASE.v2, gold, dollar, 5n] };
  expect(await trading.tradeOf(await market.send(call, alice), dollar)).toBeDefined();
  const { body } = await network.get('/v2/social/fungible/trending/?network=base');
  const bought = body.trending.map(({ fungible }: { fungible: { address: string } }) => fungible.address);
  expect(bought).toContain(gold.toLowerCase());
  expect(bought).not.toContain(dollar);
});

describe('what is no trade', () => {
  test('a payment in a block in which coins arrive', async () => {
    await mintToken(chain, gold, alice.address, 5n);
    await chain.test.setAutomine(false);
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [chain.account(7).address, 5n] });
    const rest = { chain: chain.wallet.chain, gas: 200_000n };
    const paid = await chain.wallet.sendTransaction({ account: alice, to: gold, data, ...rest });
    await chain.wallet.sendTransaction({ account: chain.account(8), to: alice.address, value: 7n, ...rest });
    await chain.mine();
    await chain.test.setAutomine(true);
    expect(await chain.public.getTransactionReceipt({ hash: paid })).toMatchObject({ status: 'success' });
    expect(await trading.tradeOf(paid, gold)).toBeUndefined();
  });

  test('giving a token and coins for another token', async () => {
    const pool = await placeForger();
    const share = await deployToken(chain, 'Share', 'SHR');
    await mintToken(chain, share, pool, 5n);
    await mintToken(chain, gold, alice.address, 5n);
    await market.send({ address: gold, abi: tokenAbi, functionName: 'approve', args: [pool, 5n] }, alice);
    const call = { address: pool, abi: FORGER.abi, functionName: 'pretend', args: [ON_BASE.v2, gold, share, 5n] };
    expect(await trading.tradeOf(await market.send({ ...call, value: 9n }, alice), share)).toBeUndefined();
  });
});

describe('a faulty endpoint', () => {
  test('that lags far behind takes no trade back', async () => {
    const hash = await buy();
    await chain.mine(60);
    await trading.roundsUntil(() => isStored(hash));
    await trading.searched(await buy());
    const [row] = await network.sql<{ high: number }>('select high from trade_search');
    const old = await chain.public.request({ method: 'eth_getBlockByNumber', params: ['0x5', false] });
    proxy.decide = ({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { result: old } : 'pass';
    await rounds(3);
    expect(await isKnown(hash)).toBe(true);
    expect(await network.sql<{ high: number }>('select high from trade_search')).toEqual([row]);
  });

  test('without the contracts of tokens, or balances, loses no trade', async () => {
    proxy.decide = ({ method }) => (method === 'eth_call' || method === 'eth_getBalance' ? 'break' : 'pass');
    const hash = await buy();
    await rounds(2);
    expect(await isStored(hash)).toBe(false);
    proxy.decide = () => 'pass';
    await chain.mine(40);
    await trading.roundsUntil(() => isStored(hash));
  }, 90_000);

  test('whose answer is slow is asked for less in the next round', async () => {
    await network.sql('update trade_search set span = 500');
    await chain.mine(50);
    let spans: number[] = [];
    proxy.decide = ({ method, params }) => {
      if (method !== 'eth_getLogs') return 'pass';
      const span = Number(params[0].toBlock) - Number(params[0].fromBlock) + 1;
      spans.push(span);
      return span > 20 ? 'wait' : 'pass';
    };
    await trading.roundsUntil(() => spans.some((span) => span <= 20));
    spans = [];
  }, 90_000);

  test('that fails for a single block is not left alone for a day', async () => {
    proxy.decide = ({ method }) =>
      method === 'eth_getLogs' ? { error: { code: -32_000, message: 'block is beyond the head' } } : 'pass';
    const hash = await buy();
    await rounds(3);
    proxy.decide = () => 'pass';
    await trading.roundsUntil(() => isStored(hash));
  });

  test('that fails every eth_call makes the list of trades a 500, not an empty list', async () => {
    await trading.searched(await buy());
    proxy.decide = ({ method }) => (method === 'eth_call' ? 'break' : 'pass');
    const path = `/v2/social/fungible/trades/?network=base&address=${gold}`;
    const { status, body } = await network.get(path);
    expect([status, body.code]).toEqual([500, 'ChainUnavailable']);
  }, 30_000);
});

test('without a new block, nothing is read again', async () => {
  const { proxy } = trading;
  const hash = await buy();
  await trading.searched(hash);
  // The round after the last change finds that everything is known.
  await trading.round();
  await trading.round();
  proxy.forget();
  await trading.round();
  expect(proxy.count('eth_getLogs')).toBe(0);
  expect(proxy.count('eth_getTransactionByHash')).toBe(0);
  await chain.mine(1);
  await trading.round();
  expect(proxy.count('eth_getLogs')).toBeGreaterThan(0);
});
