import Type from 'typebox';
import { invalidField } from '../../error.js';
import { checkedAddress } from '../../onchain/checked-address.js';
import { EthAddress } from '../../schema/address.js';
import { EXAMPLE_TOKEN } from '../../schema/example.js';
import { RelevantFungibleOwnersResponse } from '../../schema/onchain/fungible-owner.js';
import { stringEnum } from '../../schema/string-enum.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { OWNER_NETWORKS, relevantOwners } from './relevant-owner.js';

/** All of the newest follows that are read. */
const MAX_ACCOUNTS = 2500;

export const fetchRelevantFungibleOwners = operation({
  id: 'fetch-relevant-fungible-owners',
  path: '/v2/social/fungible/owner/relevant/',
  tags: ['Onchain'],
  title: 'List owners of a token',
  summary:
    'List users who own a token, the largest balance first, among those that a viewer follows; the first 10 in full.',
  // Balances of thousands of addresses.
  cost: { fixed: 100 },
  waitsOutside: true,
  query: Type.Object({ contract_address: EthAddress, network: stringEnum(OWNER_NETWORKS), viewer_fid: viewerFid }),
  parameters: {
    contract_address: { description: 'Contract of the token.', example: EXAMPLE_TOKEN },
    network: { description: 'The network that the token is on.', example: 'base' },
    viewer_fid: {
      description: 'Lists owners that this user follows; without it, owners with the highest scores.',
      example: 1,
    },
  },
  response: RelevantFungibleOwnersResponse,
  handle: async ({ query, caller }, services) => {
    const { network, viewer_fid: viewer = null } = query;
    services.networks.client(network, 'network');
    const token = checkedAddress(query.contract_address, 'contract_address');
    const audience = { appId: caller.appId, viewer };
    const owners = await relevantOwners(services, { network, tokens: [token], audience, accounts: MAX_ACCOUNTS });
    const response = owners.get(token);
    if (response) return response;
    throw invalidField('contract_address', `contract_address: no ERC-20 token is at ${token} on ${network}.`);
  },
});
