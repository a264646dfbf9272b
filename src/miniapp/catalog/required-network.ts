import type { MiniAppNetwork } from '../../schema/miniapp/catalog.js';

/** Names of chains by their CAIP-2 ids (Mini App specification, "requiredChains"). */
const NETWORKS: Readonly<Record<string, MiniAppNetwork>> = {
  'eip155:1': 'ethereum',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'eip155:421614': 'arbitrum-sepolia',
  'eip155:84532': 'base-sepolia',
  'eip155:666666666': 'degen',
  'eip155:100': 'gnosis',
  'eip155:10': 'optimism',
  'eip155:11155420': 'optimism-sepolia',
  'eip155:137': 'polygon',
  'eip155:11155111': 'ethereum-sepolia',
  'eip155:7777777': 'zora',
  'eip155:130': 'unichain',
  'eip155:10143': 'monad-testnet',
  'eip155:42220': 'celo',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
};

/**
 * @param chains CAIP-2 ids
 * @returns the networks among them that the interface has names for; null if no chain is required
 */
export const requiredNetworks = (chains: readonly string[] | undefined): MiniAppNetwork[] | null => {
  if (chains === undefined || chains.length === 0) return null;
  const known = chains.flatMap((chain) => (Object.hasOwn(NETWORKS, chain) ? [NETWORKS[chain] as MiniAppNetwork] : []));
  return [...new Set(known)];
};
