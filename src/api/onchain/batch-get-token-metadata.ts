import Type from 'typebox';
import { invalidField } from '../../error.js';
import { checkedAddress } from '../../onchain/checked-address.js';
import { EthAddress } from '../../schema/address.js';
import { EXAMPLE_NATIVE_TOKEN } from '../../schema/example.js';
import { Network } from '../../schema/onchain/network.js';
import { TokenMetadataBatchResponse } from '../../schema/onchain/token-metadata.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { configuredNetworks, withPartial } from './partial-network.js';
import { viewTokenMetadata } from './view-token-metadata.js';

const MAX_TOKENS = 100;

export const batchGetTokenMetadata = operation({
  id: 'batch-get-token-metadata',
  path: '/v2/onchain/token/metadata/batch',
  tags: ['Onchain'],
  title: 'Get several tokens',
  summary: 'Read price and market data of several tokens: networks and addresses pair up, unknown tokens are null.',
  cost: { each: 2, of: 'addresses' },
  waitsOutside: true,
  query: Type.Object({
    networks: commaSeparated(Network, { maxItems: MAX_TOKENS }),
    addresses: commaSeparated(EthAddress, { maxItems: MAX_TOKENS }),
  }),
  parameters: {
    networks: { description: 'The network of each address, in the same order, separated by commas.', example: 'base' },
    addresses: { description: 'Contracts of tokens, separated by commas.', example: EXAMPLE_NATIVE_TOKEN },
  },
  response: TokenMetadataBatchResponse,
  errors: [400, 500],
  handle: async ({ query }, services) => {
    const { networks, addresses } = query;
    if (networks.length !== addresses.length) {
      const message = `addresses must be as many as networks: they pair up by position, and there are ${addresses.length} and ${networks.length}`;
      throw invalidField('addresses', message);
    }
    configuredNetworks(networks, 'networks', services);
    const questions = addresses.map((address, index) => ({
      network: networks[index] as Network,
      address: checkedAddress(address, 'addresses'),
    }));
    const { facts, partial } = await services.tokenMetadata.read(questions);
    return withPartial({ tokens: facts.map((token) => (token ? viewTokenMetadata(token) : null)) }, partial);
  },
});
