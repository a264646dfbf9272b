import type { Address } from 'viem';
import type { Network } from '../network.js';
import { PUBLIC_CHAINS } from '../network.js';
import { DEFAULT_TOKENS } from '../token/default-token.js';
import { NATIVE_ADDRESS } from '../token/native-coin.js';

/**
 * Contracts of the wrapped coin, in lower case. Of Ethereum and Arbitrum as in DEFAULT_TOKENS; the OP Stack has it at
 * the same address on every chain (https://specs.optimism.io/protocol/predeploys.html).
 */
const WRAPPED: Readonly<Partial<Record<Network, Address>>> = {
  ethereum: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  optimism: '0x4200000000000000000000000000000000000006',
  base: '0x4200000000000000000000000000000000000006',
  'base-sepolia': '0x4200000000000000000000000000000000000006',
  arbitrum: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
};

/** @returns the contract of the network's wrapped coin, in lower case; undefined if it is not known */
export const wrappedCoin = (network: Network): Address | undefined => WRAPPED[network];

/**
 * @param token lower case
 * @returns the asset that a token stands for: the network's coin for its wrapped form, else the token
 */
export const assetOf = (network: Network, token: Address): Address =>
  token === WRAPPED[network] ? NATIVE_ADDRESS : token;

/**
 * Assets that prices are given in, so that paying with them is buying and getting them is selling: the network's coin
 * and the common tokens of their issuers.
 * @returns addresses in lower case
 */
export const quoteAssets = (network: Network): ReadonlySet<Address> => {
  const { id } = PUBLIC_CHAINS[network];
  const listed = DEFAULT_TOKENS.filter(({ chainId }) => chainId === id).map(({ address }) => address);
  return new Set([NATIVE_ADDRESS, ...listed]);
};
