import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, type Address, type Hex, parseEther } from 'viem';
import { expect } from 'vitest';
import { startChain, type TestChain } from './chain.js';
import { until } from './hub-fixture.js';
import { type Network, startNetwork } from './network.js';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.js';
import { seedBasics } from './seed.js';
import { deployToken, NATIVE } from './token-environment.js';
import { type Market, startMarket } from './uniswap.js';

/** US dollars for an ether; nobody knows a price of the other tokens. */
export const ETHER_PRICE = 2500;

/** A call that fails is repeated for less time than in production. */
const CHAIN_CALLS = { total: 1_000, each: 500, afterFailure: 200 };

/** A trade as responses show it. */
export interface Trade {
  readonly trader: { readonly fid: number };
  readonly pool?: { readonly address: string; readonly protocol_family?: string; readonly protocol_version?: string };
  readonly transaction: {
    readonly hash: Hex;
    readonly net_transfer: Record<
      'sending_fungible' | 'receiving_fungible',
      {
        readonly token: { readonly address: string; readonly symbol: string };
        readonly balance: { in_token: string; in_usd: number | null };
      }
    >;
  };
}

/** The service over a chain with markets that stands in for Base. */
export interface TradeNetwork {
  readonly chain: TestChain;
  readonly proxy: RpcProxy;
  readonly network: Network;
  readonly market: Market;
  /** Alice's verified wallet, which is watched. */
  readonly alice: Account;
  readonly gold: Address;
  /** Of six decimals. */
  readonly silver: Address;
  /** Searches trades once, and then writes new ones into the event log: no other round is under way. */
  round(): Promise<void>;
  /** Runs rounds until the block of a transaction was searched. */
  searched(hash: Hex): Promise<void>;
  /** Runs rounds until this is true, at most 60. */
  roundsUntil(isDone: () => boolean | Promise<boolean>): Promise<void>;
  tradesOf(token: Address, more?: string, headers?: Record<string, string>): Promise<Trade[]>;
  /** @returns the trade of a transaction, once its block was searched; undefined if it is none */
  tradeOf(hash: Hex, token: Address): Promise<Trade | undefined>;
  stop(): Promise<void>;
}

export const startTradeNetwork = async (): Promise<TradeNetwork> => {
  const chain = await startChain({ chainId: 8453 });
  const proxy = await startRpcProxy(chain.url);
  const folder = await mkdtemp(join(tmpdir(), 'castellan-trade-'));
  const prices = join(folder, 'prices.json');
  const price = { chainId: 8453, address: NATIVE, price_usd: `${ETHER_PRICE}` };
  await writeFile(prices, JSON.stringify({ prices: [price] }));
  const network = await startNetwork(
    {
      CASTELLAN_RPC_BASE: proxy.url,
      CASTELLAN_PRICE_FILE: prices,
      CASTELLAN_PRICE_SOURCE: 'onchain',
      // The job searches once, at the start; tests run the other rounds.
      CASTELLAN_TRADE_SECONDS: '3600',
      CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    },
    undefined,
    { timings: { chainCalls: CHAIN_CALLS } },
  );
  const seeded = await seedBasics((items) => network.load(items));
  const alice = seeded.alice.wallet(1).account;
  await chain.test.setBalance({ address: alice.address, value: parseEther('1000') });
  const market = await startMarket(chain);
  const round: TradeNetwork['round'] = async () => {
    await network.app.searchTrades(new AbortController().signal);
    await network.app.announceTrades();
  };
  const roundsUntil: TradeNetwork['roundsUntil'] = async (isDone) => {
    for (let rounds = 0; !(await isDone()); rounds += 1) {
      expect(rounds, `rounds until ${isDone}`).toBeLessThan(60);
      await round();
    }
  };
  const searched: TradeNetwork['searched'] = async (hash) => {
    const { blockNumber } = await chain.public.getTransactionReceipt({ hash });
    const isSearched = async (): Promise<boolean> => {
      const [row] = await network.sql<{ high: number }>("select high from trade_search where network = 'base'");
      return (row?.high ?? -1) >= Number(blockNumber);
    };
    await roundsUntil(isSearched);
  };
  const tradesOf: TradeNetwork['tradesOf'] = async (token, more = '', headers) => {
    const path = `/v2/social/fungible/trades/?network=base&address=${token}${more}`;
    const { status, body } = await network.get(path, headers);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.trades;
  };
  // Trades before the first round are past ones, which are not announced.
  const firstRound = "select 1 from job_run where name = 'search-trades' and claimed_by is null";
  await until(async () => (await network.sql(firstRound)).length === 1);
  await roundsUntil(async () => (await network.sql('select 1 from trade_search')).length === 1);
  return {
    chain,
    proxy,
    network,
    market,
    alice,
    gold: await deployToken(chain, 'Gold', 'GLD'),
    silver: await deployToken(chain, 'Silver', 'SLV', 6),
    round,
    searched,
    roundsUntil,
    tradesOf,
    tradeOf: async (hash, token) => {
      await searched(hash);
      return (await tradesOf(token)).find(({ transaction }) => transaction.hash === hash);
    },
    stop: async () => {
      await network.stop();
      await Promise.all([proxy.stop(), chain.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
