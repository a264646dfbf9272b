import Type from 'typebox';
import { AppError, notFound } from '../../error.js';
import { checkedAddress } from '../../onchain/checked-address.js';
import { EthAddress } from '../../schema/address.js';
import { EXAMPLE_NATIVE_TOKEN } from '../../schema/example.js';
import { Network } from '../../schema/onchain/network.js';
import { TokenMetadataResponse } from '../../schema/onchain/token-metadata.js';
import { operation } from '../http/operation.js';
import { configuredNetworks } from './partial-network.js';
import { viewTokenMetadata } from './view-token-metadata.js';

export const getTokenMetadata = operation({
  id: 'get-token-metadata',
  path: '/v2/onchain/token/metadata',
  tags: ['Onchain'],
  title: 'Get a token',
  summary: 'Read price and market data of a token.',
  cost: { fixed: 2 },
  waitsOutside: true,
  query: Type.Object({ network: Network, address: EthAddress }),
  parameters: {
    network: { description: 'The network that the token is on.', example: 'base' },
    address: {
      description: "Contract of the token; 0xeeee…eeee is the network's own coin.",
      example: EXAMPLE_NATIVE_TOKEN,
    },
  },
  response: TokenMetadataResponse,
  errors: [400, 404, 500],
  handle: async ({ query }, services) => {
    const { network } = query;
    configuredNetworks([network], 'network', services);
    const address = checkedAddress(query.address, 'address');
    const { facts, partial } = await services.tokenMetadata.read([{ network, address }]);
    const [token] = facts;
    if (token !== undefined) return { token: viewTokenMetadata(token) };
    if (partial.length > 0) throw new AppError('internal', 'ChainUnavailable', `${network} does not answer.`);
    throw notFound(`No ERC-20 token is at ${address} on ${network}.`, 'address');
  },
});
