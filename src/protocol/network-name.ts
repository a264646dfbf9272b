/** The networks of the protocol by their `FarcasterNetwork` number. CASTELLAN_HUB_NETWORK accepts these names. */
export const NETWORK_NAMES: Readonly<Record<number, string>> = { 1: 'mainnet', 2: 'testnet', 3: 'devnet' };

/** @returns a network for a message to the operator: `3 (devnet)` */
export const networkName = (network: number): string => `${network} (${NETWORK_NAMES[network] ?? 'unknown'})`;
