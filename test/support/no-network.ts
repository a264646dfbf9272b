import type { Networks } from '../../src/onchain/network.js';

const fail = (): never => {
  throw new Error('no network is configured');
};

/** The networks of a service without endpoints. */
export const NO_NETWORKS: Networks = { configured: [], client: fail, chainId: fail };
