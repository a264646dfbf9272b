import { hexToBytes } from 'viem';
import type { ChainClaimReader } from '../ingest/pipeline/chain-claim.js';
import { isSignedByContract } from '../onchain/contract-wallet.js';
import { addressOfName } from '../onchain/name-owner.js';
import type { Networks } from '../onchain/network.js';

export const createChainClaimReader = (networks: Networks): ChainClaimReader => ({
  isConfigured: (network) => networks.configured.includes(network),
  addressOfName: async (network, name) => {
    const address = await addressOfName(networks.client(network), network, name);
    return address && hexToBytes(address);
  },
  isSignedByContract: async (network, signed) => {
    networks.client(network);
    return (await isSignedByContract(networks, [network], signed)) === true;
  },
});
