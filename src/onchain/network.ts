import { type Chain, defineChain, type PublicClient, type Transport } from 'viem';
import type { Database } from '../db/database.js';

/** The networks of the API, in its spelling. */
export const NETWORKS = ['ethereum', 'optimism', 'base', 'arbitrum', 'robinhood', 'base-sepolia'] as const;
export type Network = (typeof NETWORKS)[number];

/**
 * Reads a chain. It throws viem's errors for what the chain responded, and AppErrors if no endpoint responded:
 * internal, with code `ChainUnavailable`, or `WrongChain` if every endpoint is on another chain.
 */
export type ChainClient = PublicClient<Transport, Chain>;

/** The chains with a configured endpoint. */
export interface Networks {
  readonly configured: readonly Network[];
  /**
   * @param property the member of the request with the network
   * @throws AppError invalid with that property if the network is not configured; the message names the variable to set
   */
  client(network: Network, property?: string): ChainClient;
  /**
   * @returns the chain id that every endpoint of the network must report: the public one, or that of the local chain
   */
  chainId(network: Network): number;
}

/** What work on several networks needs. */
export interface NetworkDependencies {
  readonly db: Database;
  readonly networks: Networks;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Called with a network that did not respond, or could not be searched, for the operator. */
  readonly failed: (network: Network, error: unknown) => void;
}

/** Address of Multicall3, the same on every chain (https://www.multicall3.com/deployments). */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** Default chain id of anvil (https://getfoundry.sh/anvil/reference). */
export const LOCAL_CHAIN_ID = 31_337;

/** viem has these chains, too, but in one module with all others, and with public endpoints. */
const etherChain = (id: number, name: string): Chain =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    // Only endpoints of the operator are used.
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: MULTICALL3 } },
  });

/**
 * The public chains. Ids are those of EIP-155, as the chains' own documents give them:
 * Ethereum 1 (https://eips.ethereum.org/EIPS/eip-155); OP Mainnet 10 (https://docs.optimism.io); Base 8453 and Base
 * Sepolia 84532 (https://docs.base.org); Arbitrum One 42161 (https://docs.arbitrum.io); Robinhood Chain 4663
 * (https://docs.robinhood.com/chain).
 */
export const PUBLIC_CHAINS: Readonly<Record<Network, Chain>> = {
  ethereum: etherChain(1, 'Ethereum'),
  optimism: etherChain(10, 'OP Mainnet'),
  base: etherChain(8453, 'Base'),
  arbitrum: etherChain(42_161, 'Arbitrum One'),
  robinhood: etherChain(4663, 'Robinhood Chain'),
  'base-sepolia': etherChain(84_532, 'Base Sepolia'),
};

/** The chain of the development profile, which replaces every network. */
export const LOCAL_CHAIN: Chain = etherChain(LOCAL_CHAIN_ID, 'Local chain');
