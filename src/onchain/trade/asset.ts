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
 * Dollars that are not among DEFAULT_TOKENS, whose issuers do not publish them: DAI, and bridged USDC and USDT, as in
 * https://static.optimism.io/optimism.tokenlist.json and https://bridge.arbitrum.io/token-list-42161.json. Here they are
 * only what one pays with; they are not shown as worth a dollar.
 */
const DOLLARS: Readonly<Partial<Record<Network, readonly Address[]>>> = {
  ethereum: ['0x6b175474e89094c44da98b954eedeac495271d0f'],
  optimism: [
    '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
    '0x7f5c764cbc14f9669b88837ca1490cca17c31607',
    '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
    '0x01bff41798a0bcf287b996046ca68b395dbc1071',
  ],
  base: [
    '0x50c5725949a6f0c72e6c4a641f24049a917db0cb',
    '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca',
    '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2',
  ],
  arbitrum: [
    '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
    '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8',
    '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
  ],
};

/**
 * Assets that prices are given in, so that paying with them is buying and getting them is selling: the network's coin,
 * the common tokens of their issuers, and other dollars.
 * @returns addresses in lower case
 */
export const quoteAssets = (network: Network): ReadonlySet<Address> => {
  const { id } = PUBLIC_CHAINS[network];
  const listed = DEFAULT_TOKENS.filter(({ chainId }) => chainId === id).map(({ address }) => address);
  return new Set([NATIVE_ADDRESS, ...listed, ...(DOLLARS[network] ?? [])]);
};
