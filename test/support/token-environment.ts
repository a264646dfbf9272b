import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, type Hex, parseAbi } from 'viem';
import type { Timings } from '../../src/app/app-options.js';
import type { Log } from '../../src/log.js';
import { testTokenAbi, testTokenBytecode } from '../../src/onchain/artifact/test-token.js';
import { SHORT_CALLS, startChain, type TestChain } from './chain.js';
import { type Network, startNetwork } from './network.js';
import { type PriceServer, startPriceServer } from './price-server.js';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.js';

export const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

export type EnvironmentNetwork = 'ethereum' | 'base' | 'arbitrum';
const CHAIN_IDS: Record<EnvironmentNetwork, number> = { ethereum: 1, base: 8453, arbitrum: 42_161 };

export interface ListEntry {
  readonly chainId: number;
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logoURI?: string;
}

/** A network over HTTP, real chains behind proxies that can be made to fail, and a price service of its own. */
export interface TokenEnvironment {
  readonly chains: Record<EnvironmentNetwork, TestChain>;
  readonly proxies: Record<EnvironmentNetwork, RpcProxy>;
  readonly prices: PriceServer;
  readonly network: Network;
  /** The service's clock stands `ms` later from now on. */
  later(ms: number): void;
  readonly clock: () => number;
  stop(): Promise<void>;
}

/** Chains and prices that are there answer in time on a busy machine, too, though some calls read hundreds of tokens. */
const TIMINGS: Timings = {
  chainCalls: SHORT_CALLS,
  tokens: { network: 2000, prices: 1500, priceApi: 1000 },
  responses: { owners: 1500 },
};

/** Deploys a token of 18 decimals unless told otherwise. */
export const deployToken = async (chain: TestChain, name: string, symbol: string, decimals = 18): Promise<Address> =>
  (await chain.deploy({ abi: testTokenAbi, bytecode: testTokenBytecode, args: [name, symbol, decimals] })).address;

export const mintToken = async (chain: TestChain, token: Address, to: Address, amount: bigint): Promise<void> => {
  const call = { abi: testTokenAbi, functionName: 'mint', args: [to, amount] } as const;
  const from = { account: chain.account(0), chain: chain.wallet.chain };
  await chain.receipt(chain.wallet.writeContract({ address: token, ...call, ...from }));
};

/** Puts code at an address, in place of what was there. */
export const setContractCode = (chain: TestChain, address: Address, bytecode: Hex): Promise<void> =>
  chain.test.setCode({ address, bytecode });

/** @returns a balance as the chain itself tells it. */
export const balanceOf = (chain: TestChain, token: Address, owner: Address): Promise<bigint> => {
  if (token === NATIVE) return chain.public.getBalance({ address: owner });
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);
  return chain.public.readContract({ address: token, abi, functionName: 'balanceOf', args: [owner] });
};

/**
 * @param listOf the tokens of the operator's list, once the chains run
 * @param environment variables beside those of the chains, the list and the prices
 */
export const startTokenEnvironment = async (
  listOf: (chains: Record<EnvironmentNetwork, TestChain>) => Promise<readonly ListEntry[]> = async () => [],
  environment: Record<string, string> = {},
  log?: Log,
): Promise<TokenEnvironment> => {
  const names = Object.keys(CHAIN_IDS) as EnvironmentNetwork[];
  const byName = async <Value>(
    make: (name: EnvironmentNetwork) => Promise<Value>,
  ): Promise<Record<EnvironmentNetwork, Value>> =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await make(name)])));
  let ahead = 0;
  const clock = (): number => Date.now() + ahead;
  const chains = await byName((name) => startChain({ chainId: CHAIN_IDS[name] }));
  const proxies = await byName((name) => startRpcProxy(chains[name].url));
  const prices = await startPriceServer(clock);
  const folder = await mkdtemp(join(tmpdir(), 'castellan-token-'));
  const list = join(folder, 'list.json');
  const version = { major: 1, minor: 0, patch: 0 };
  const tokens = await listOf(chains);
  await writeFile(list, JSON.stringify({ name: 'Of a test', timestamp: '2026-01-01T00:00:00Z', version, tokens }));
  const network = await startNetwork(
    {
      CASTELLAN_RPC_ETHEREUM: proxies.ethereum.url,
      CASTELLAN_RPC_BASE: proxies.base.url,
      CASTELLAN_RPC_ARBITRUM: proxies.arbitrum.url,
      CASTELLAN_TOKEN_LIST: list,
      CASTELLAN_PRICE_SOURCE: 'api',
      CASTELLAN_PRICE_API_URL: prices.url,
      ...environment,
    },
    log,
    { clock, timings: TIMINGS },
  );
  return {
    chains,
    proxies,
    prices,
    network,
    clock,
    later: (ms) => {
      ahead += ms;
    },
    stop: async () => {
      await network.stop();
      await Promise.all([prices.stop(), ...names.flatMap((name) => [proxies[name].stop(), chains[name].stop()])]);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
