import type { Address } from 'viem';
import { type Network, type Networks, PUBLIC_CHAINS } from '../network.js';

/** A contract that deploys subscription contracts. */
export interface StpFactory {
  readonly network: Network;
  /** Lower case. */
  readonly address: Address;
  /** No contract of it is older than this block. */
  readonly startBlock: number;
}

/**
 * The public factories (npm package @withfabric/protocol-sdks 2.0.2, `generated.js`): the first three deploy
 * SubscriptionTokenV1, the last one STPV2. Their first blocks are those of a public indexer
 * (github.com/gskril/hypersub-indexer, ponder.config.ts); the second factory on Base is younger than the first one.
 */
export const STP_FACTORIES: readonly StpFactory[] = [
  { network: 'ethereum', address: '0xf1d0c43d301d4d0fa1fc1a57ade0d2fe9ca853f6', startBlock: 18_430_200 },
  { network: 'optimism', address: '0x4abd5d3af06ce5356a455eb5ecdc1f07aa9c083a', startBlock: 111_939_833 },
  { network: 'base', address: '0x3bef7e58a3f357ec98b639df5c24dac68ee3a180', startBlock: 6_338_113 },
  { network: 'base', address: '0xd79a71657a45f713817cb5366053a7629af8fe74', startBlock: 6_338_113 },
];

/**
 * The chain of the development profile has one factory, at the address of the first one on Base
 * (src/onchain/local/subscription.ts).
 */
export const LOCAL_STP_FACTORY: StpFactory = { ...(STP_FACTORIES[2] as StpFactory), startBlock: 0 };

/** A factory together with the chain that is its network. */
export interface PlacedFactory extends StpFactory {
  /** The public chain id, or that of the local chain. */
  readonly chainId: number;
}

/**
 * @param more factories of the configuration
 * @returns the factories on configured networks
 */
export const factoriesOn = (networks: Networks, more: readonly StpFactory[]): readonly PlacedFactory[] =>
  networks.configured.flatMap((network) => {
    const chainId = networks.chainId(network);
    const known = chainId === PUBLIC_CHAINS[network].id ? STP_FACTORIES : [LOCAL_STP_FACTORY];
    // A factory of the configuration replaces a known one at the same address.
    const mine = [...known, ...more].filter((factory) => factory.network === network);
    return [...new Map(mine.map((factory) => [factory.address, { ...factory, chainId }])).values()];
  });
