import Type from 'typebox';
import { invalidField } from '../../error.js';
import { checkedAddress } from '../../onchain/checked-address.js';
import { NETWORKS, type Network, PUBLIC_CHAINS } from '../../onchain/network.js';
import { EthAddress } from '../../schema/address.js';
import { EXAMPLE_SUBSCRIPTION_CONTRACT } from '../../schema/example.js';
import { SubscriptionCheckResponse as response, type SubscriptionCheckResponse } from '../../schema/onchain/stp.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { expiryMs, viewTier } from './view-subscription.js';

const MAX_ADDRESSES = 350;

const networkOf = (chainId: string): Network => {
  const network = NETWORKS.find((name) => String(PUBLIC_CHAINS[name].id) === chainId);
  if (network) return network;
  const known = NETWORKS.map((name) => `${PUBLIC_CHAINS[name].id} (${name})`).join(', ');
  throw invalidField('chain_id', `chain_id must be one of ${known}`);
};

const NOT_SUBSCRIBED = {
  object: 'subscribed_to_dehydrated' as const,
  status: false,
  expires_at: null,
  subscribed_at: null,
  tier: null,
};

export const fetchSubscriptionCheck = operation({
  id: 'fetch-subscription-check',
  path: '/v2/stp/subscription_check/',
  tags: ['Subscribers'],
  title: 'Check subscriptions of addresses',
  summary: 'Tell whether addresses are subscribed to a subscription-token contract now.',
  // Reads a contract of the chain for each address, and for each subscription of a list.
  cost: { base: 10, each: 1, of: 'addresses' },
  waitsOutside: true,
  query: Type.Object({
    addresses: commaSeparated(EthAddress, { maxItems: MAX_ADDRESSES }),
    contract_address: Type.String({ pattern: '^0x[a-fA-F0-9]{40}$' }),
    chain_id: Type.String({ maxLength: 20 }),
  }),
  parameters: {
    addresses: {
      description: 'Ethereum addresses, at most 350, separated by commas; the keys of the answer.',
      example: '0xb115c2044dc5c71027acef7429f73837a7e4d1de,0xafc96f05e7529ab5c64aaa79959ca9f8d41e8003',
    },
    contract_address: { description: 'The subscription contract.', example: EXAMPLE_SUBSCRIPTION_CONTRACT },
    chain_id: { description: 'Chain id of its network in decimal digits; 8453 is Base.', example: '8453' },
  },
  response,
  handle: async ({ query }, { stp, networks }) => {
    const network = networkOf(query.chain_id);
    networks.client(network, 'chain_id');
    const contract = checkedAddress(query.contract_address, 'contract_address');
    const accounts = new Map(query.addresses.map((address) => [address, checkedAddress(address, 'addresses')]));
    const active = await stp.check(network, contract, [...new Set(accounts.values())]);
    const answers = [...accounts].map(([asked, account]): [string, SubscriptionCheckResponse[string]] => {
      const subscription = active.get(account);
      if (subscription === undefined) return [asked, NOT_SUBSCRIBED];
      const { expiresAt, mintedAt, tier } = subscription;
      return [
        asked,
        {
          ...NOT_SUBSCRIBED,
          status: true,
          expires_at: expiryMs(expiresAt),
          subscribed_at: mintedAt?.getTime() ?? null,
          tier: tier ? viewTier(tier) : null,
        },
      ];
    });
    return Object.fromEntries(answers);
  },
});
