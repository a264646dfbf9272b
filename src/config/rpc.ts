import type { Secret } from './secret.js';

/** The variable that contains the endpoints of each network. The networks are named as in the API. */
export const RPC_VARIABLES = {
  ethereum: 'CASTELLAN_RPC_ETHEREUM',
  optimism: 'CASTELLAN_RPC_OPTIMISM',
  base: 'CASTELLAN_RPC_BASE',
  arbitrum: 'CASTELLAN_RPC_ARBITRUM',
  robinhood: 'CASTELLAN_RPC_ROBINHOOD',
  'base-sepolia': 'CASTELLAN_RPC_BASE_SEPOLIA',
} as const;

/** JSON-RPC endpoints by network, in the order in which they are tried. */
export type RpcUrls = Readonly<Partial<Record<keyof typeof RPC_VARIABLES, readonly Secret[]>>>;
