import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, slice, stringToBytes } from 'viem';
import type { ChainClient, Network } from '../network.js';
import { readBounded, WORD_BYTES } from '../rpc/gas-bounded-read.js';
import { readWord } from '../token/contract.js';
import { addressIn, type Log } from './net-transfer.js';

const topicOf = (signature: string): Hex => keccak256(stringToBytes(signature));

/** Protocols by the event that their pools emit for a swap; Aerodrome is one of those that descend from Solidly. */
const KINDS = new Map<Hex, 'v2' | 'v3' | 'v4' | 'solidly'>([
  [topicOf('Swap(address,uint256,uint256,uint256,uint256,address)'), 'v2'],
  [topicOf('Swap(address,address,int256,int256,uint160,uint128,int24)'), 'v3'],
  [topicOf('Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)'), 'v4'],
  [topicOf('Swap(address,address,uint256,uint256,uint256,uint256)'), 'solidly'],
]);

export interface Swap {
  /** In lower case; for Uniswap v4 the contract that manages all pools. */
  readonly pool: Address;
  readonly kind: 'v2' | 'v3' | 'v4' | 'solidly';
  /** v4 only: what the account that swaps gets of both assets, negative for what it gives. */
  readonly amounts: readonly [bigint, bigint] | undefined;
}

/** A uint24. */
const MAX_FEE = 0xffffff;

const signed = (data: Hex, index: number): bigint =>
  BigInt.asIntN(256, BigInt(slice(data, index * WORD_BYTES, (index + 1) * WORD_BYTES, { strict: true })));

const amountsOf = (data: Hex): readonly [bigint, bigint] | undefined =>
  /^0x([0-9a-f]{64}){6}$/i.test(data) ? [signed(data, 0), signed(data, 1)] : undefined;

/** @returns the swap of a transaction; undefined without one, and for a route through several */
export const soleSwap = (logs: readonly Log[]): Swap | undefined => {
  const [first, second] = logs.flatMap(({ address, topics: [topic], data }): Swap[] => {
    const kind = topic && KINDS.get(topic);
    if (kind === undefined) return [];
    return [{ pool: address.toLowerCase() as Address, kind, amounts: kind === 'v4' ? amountsOf(data) : undefined }];
  });
  return second === undefined ? first : undefined;
};

interface Protocol {
  readonly family: string;
  readonly version: string;
}

/**
 * Factories of pools, and the pool managers of Uniswap v4, in lower case. Uniswap:
 * https://docs.uniswap.org/contracts (deployments of each version); Aerodrome: https://github.com/aerodrome-finance/contracts.
 */
const FACTORIES: Readonly<Partial<Record<Network, Readonly<Record<Address, Protocol>>>>> = {
  ethereum: {
    '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f': { family: 'uniswap', version: 'v2' },
    '0x1f98431c8ad98523631ae4a59f267346ea31f984': { family: 'uniswap', version: 'v3' },
    '0x000000000004444c5dc75cb358380d2e3de08a90': { family: 'uniswap', version: 'v4' },
  },
  optimism: {
    '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf': { family: 'uniswap', version: 'v2' },
    '0x1f98431c8ad98523631ae4a59f267346ea31f984': { family: 'uniswap', version: 'v3' },
    '0x9a13f98cb987694c9f086b1f5eb990eea8264ec3': { family: 'uniswap', version: 'v4' },
  },
  base: {
    '0x8909dc15e40173ff4699343b6eb8132c65e18ec6': { family: 'uniswap', version: 'v2' },
    '0x33128a8fc17869897dce68ed026d694621f6fdfd': { family: 'uniswap', version: 'v3' },
    '0x498581ff718922c3f8e6a244956af099b2652b2b': { family: 'uniswap', version: 'v4' },
    '0x420dd381b31aef6683db6b902084cb0ffece40da': { family: 'aerodrome', version: 'v1' },
  },
  arbitrum: {
    '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9': { family: 'uniswap', version: 'v2' },
    '0x1f98431c8ad98523631ae4a59f267346ea31f984': { family: 'uniswap', version: 'v3' },
    '0x360e68faccca8ca495c1b759fd9eee466db9fb32': { family: 'uniswap', version: 'v4' },
  },
};

const poolAbi = parseAbi([
  'function factory() view returns (address)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function fee() view returns (uint24)',
]);
const factoryAbi = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function getPool(address, address, uint24) view returns (address)',
  'function isPool(address) view returns (bool)',
]);

const poolReads = (['factory', 'token0', 'token1', 'fee'] as const).map((functionName) =>
  encodeFunctionData({ abi: poolAbi, functionName }),
);

/**
 * Anybody can deploy a contract that emits such events and names any factory, so the factory is asked whether the pool
 * is its own.
 * @returns undefined if the pool is of no known protocol
 * @throws what the client throws if the chain does not respond
 */
export const protocolOf = async (
  client: ChainClient,
  network: Network,
  { pool, kind }: Swap,
): Promise<Protocol | undefined> => {
  const known = FACTORIES[network] ?? {};
  if (kind === 'v4') return known[pool]?.version === 'v4' ? known[pool] : undefined;
  const answers = await readBounded(
    client,
    poolReads.map((data) => ({ target: pool, data })),
    WORD_BYTES,
  );
  const fee = Number(readWord(answers[3]) ?? 0n);
  const [factory, token0, token1] = answers.map((answer) => addressIn(answer)) as [Address, Address, Address];
  const protocol = known[factory];
  // A contract that claims to be a pool may answer anything.
  if (protocol === undefined || answers.slice(0, 3).some((answer) => readWord(answer) === undefined)) return undefined;
  if (fee > MAX_FEE) return undefined;
  const questions = {
    v2: () => encodeFunctionData({ abi: factoryAbi, functionName: 'getPair', args: [token0, token1] }),
    v3: () => encodeFunctionData({ abi: factoryAbi, functionName: 'getPool', args: [token0, token1, fee] }),
    solidly: () => encodeFunctionData({ abi: factoryAbi, functionName: 'isPool', args: [pool] }),
  };
  const [answer] = await readBounded(client, [{ target: factory, data: questions[kind]() }], WORD_BYTES);
  const isOwn = kind === 'solidly' ? readWord(answer) === 1n : addressIn(answer) === pool;
  return isOwn ? protocol : undefined;
};
