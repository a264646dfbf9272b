import { type Chain, defineChain, type PublicClient, type Transport } from 'viem';

/** The networks of the interface, in its spelling. */
export const NETWORKS = ['ethereum', 'optimism', 'base', 'arbitrum', 'robinhood', 'base-sepolia'] as const;
export type Network = (typeof NETWORKS)[number];

/**
 * Reads a chain. Its errors are viem's where the chain answered, and AppErrors where nothing did: internal, with code
 * `ChainUnavailable`, or `WrongChain` where every endpoint is on another chain.
 */
export type ChainClient = PublicClient<Transport, Chain>;

/** The way to every chain that this service was given an endpoint of. */
export interface Networks {
  readonly configured: readonly Network[];
  /**
   * @param property the member of the request that named the network
   * @throws AppError invalid, with that property, naming the variable to set, when the network is not configured.
   */
  client(network: Network, property?: string): ChainClient;
  /** @returns the id that every endpoint of the network must report: the public one, or that of the local chain. */
  chainId(network: Network): number;
}

/** Where Multicall3 is on every chain that has it (https://www.multicall3.com/deployments). */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** The chain id that Foundry's development node has unless told otherwise (https://getfoundry.sh/anvil/reference). */
export const LOCAL_CHAIN_ID = 31_337;

/** viem carries these too, but together with every other chain and with public endpoints. */
const etherChain = (id: number, name: string): Chain =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    // Endpoints are the operator's; none is ever chosen for him.
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

/** The chain of the development profile, which stands in for every network. */
export const LOCAL_CHAIN: Chain = etherChain(LOCAL_CHAIN_ID, 'Local chain');
