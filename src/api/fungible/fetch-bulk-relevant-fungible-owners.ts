import Type from 'typebox';
import { checkedAddress } from '../../onchain/checked-address.js';
import { EthAddress } from '../../schema/address.js';
import { EXAMPLE_TOKEN } from '../../schema/example.js';
import { BulkRelevantFungibleOwnersResponse } from '../../schema/onchain/fungible-owner.js';
import { stringEnum } from '../../schema/string-enum.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { OWNER_NETWORKS, relevantOwners } from './relevant-owner.js';

const MAX_TOKENS = 10;
/** Fewer than for one token, so that ten tokens need about as many reads of the chain. */
const MAX_ACCOUNTS = 500;

const NO_OWNERS = { all_relevant_fungible_owners_dehydrated: [], top_relevant_fungible_owners_hydrated: [] };

export const fetchBulkRelevantFungibleOwners = operation({
  id: 'fetch-bulk-relevant-fungible-owners',
  path: '/v2/social/fungible/owner/relevant/bulk',
  tags: ['Onchain'],
  title: 'List owners of several tokens',
  summary: 'List users who own tokens, for up to 10 tokens, among those that a viewer follows.',
  cost: { base: 100, each: 50, of: 'contract_addresses' },
  waitsOutside: true,
  query: Type.Object({
    contract_addresses: commaSeparated(EthAddress, { maxItems: MAX_TOKENS }),
    network: stringEnum(OWNER_NETWORKS),
    viewer_fid: viewerFid,
  }),
  parameters: {
    contract_addresses: { description: 'Contracts of up to 10 tokens, separated by commas.', example: EXAMPLE_TOKEN },
    network: { description: 'The network that the tokens are on.', example: 'base' },
    viewer_fid: {
      description: 'Lists owners that this user follows; without it, owners with the highest scores.',
      example: 1,
    },
  },
  response: BulkRelevantFungibleOwnersResponse,
  handle: async ({ query, caller }, services) => {
    const { network, contract_addresses: requested, viewer_fid: viewer = null } = query;
    services.networks.client(network, 'network');
    const tokens = requested.map((address) => checkedAddress(address, 'contract_addresses'));
    const audience = { appId: caller.appId, viewer };
    const distinct = [...new Set(tokens)];
    const owners = await relevantOwners(services, { network, tokens: distinct, audience, accounts: MAX_ACCOUNTS });
    // Clients look up the text that they sent.
    return Object.fromEntries(
      requested.map((address) => [address, owners.get(address.toLowerCase() as `0x${string}`) ?? NO_OWNERS]),
    );
  },
});
