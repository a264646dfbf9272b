import type { Address } from 'viem';
import { type Network, PUBLIC_CHAINS } from '../network.js';
import type { ListedToken } from './list.js';

interface Coin {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** With checksum (ERC-55), as the issuer publishes them. */
  readonly addresses: Readonly<Partial<Record<Network, Address>>>;
}

/**
 * Common tokens as published by their issuers. The operator adds others with a token list (CASTELLAN_TOKEN_LIST). Native coins
 * have no contract and are not listed (`nativeCoin`). No issuer publishes a token on Robinhood Chain.
 */
const COINS: readonly Coin[] = [
  {
    // https://developers.circle.com/stablecoins/usdc-contract-addresses
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    addresses: {
      ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      optimism: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
      base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
      'base-sepolia': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    },
  },
  {
    // https://developers.circle.com/stablecoins/eurc-contract-addresses
    name: 'EURC',
    symbol: 'EURC',
    decimals: 6,
    addresses: {
      ethereum: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c',
      base: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42',
    },
  },
  {
    // Ethereum: https://weth.io; chains of the OP Stack: https://specs.optimism.io/protocol/predeploys.html#weth9;
    // Arbitrum: https://docs.arbitrum.io/build-decentralized-apps/reference/contract-addresses
    name: 'Wrapped Ether',
    symbol: 'WETH',
    decimals: 18,
    addresses: {
      ethereum: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      optimism: '0x4200000000000000000000000000000000000006',
      base: '0x4200000000000000000000000000000000000006',
      arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
      'base-sepolia': '0x4200000000000000000000000000000000000006',
    },
  },
  {
    // https://tether.to/en/supported-protocols
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    addresses: { ethereum: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
  },
  {
    // https://www.coinbase.com/cbbtc
    name: 'Coinbase Wrapped BTC',
    symbol: 'cbBTC',
    decimals: 8,
    addresses: {
      ethereum: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
      base: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
      arbitrum: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
    },
  },
];

/** The tokens that are known without a list of the operator. */
export const DEFAULT_TOKENS: readonly ListedToken[] = COINS.flatMap(({ addresses, ...coin }) =>
  Object.entries(addresses).map(([network, address]) => ({
    ...coin,
    chainId: PUBLIC_CHAINS[network as Network].id,
    address: address.toLowerCase() as Address,
    imageUrl: null,
  })),
);
