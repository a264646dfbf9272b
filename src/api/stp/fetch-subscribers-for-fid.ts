import Type from 'typebox';
import { FidOrZero } from '../../schema/fid.js';
import { type Subscriber, SubscribersResponse } from '../../schema/onchain/stp.js';
import { stringEnum } from '../../schema/string-enum.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { withPartial } from '../onchain/partial-network.js';
import { accountsOf, addressesOf } from './account-address.js';
import { PROVIDER, viewChain, viewTimes } from './view-subscription.js';
import { visibleUsers } from './visible-user.js';

export const fetchSubscribersForFid = operation({
  id: 'fetch-subscribers-for-fid',
  path: '/v2/social/user/subscribers/',
  tags: ['Subscribers'],
  title: "List a user's subscribers",
  summary: "List the subscribers of a user's contracts now, the latest ones first.",
  // Up to 1,000 subscribers, each with its profile.
  cost: { fixed: 500 },
  waitsOutside: true,
  query: Type.Object({
    fid: FidOrZero,
    viewer_fid: viewerFid,
    subscription_provider: stringEnum([PROVIDER, 'newsletter']),
  }),
  parameters: {
    fid: { description: 'The owner of the contracts.', example: 1 },
    subscription_provider: {
      description: 'The subscription token protocol. Subscribers of newsletters are not public, so that list is empty.',
      example: 'stp',
    },
    viewer_fid: { description: 'The user who looks at the list: accounts hidden from that user are left out.' },
  },
  response: SubscribersResponse,
  handle: async ({ query, caller }, services) => {
    const { fid, viewer_fid: viewer = null, subscription_provider: provider } = query;
    // Subscribers of a newsletter are e-mail addresses, which have no FID and are nowhere public.
    if (provider !== PROVIDER) return { subscribers: [] };
    const addresses = await addressesOf(services, fid);
    const { items, partial } = await services.stp.subscribersOf('subscription_provider', addresses);
    const accounts = await accountsOf(
      services,
      items.map(({ account }) => account),
    );
    const audience = { appId: caller.appId, viewer };
    const users = await visibleUsers(services, [...accounts.values()], audience);
    const subscribers = items.flatMap((item): Subscriber[] => {
      const user = users.get(accounts.get(item.account) ?? 0);
      if (user === undefined) return [];
      return [
        {
          object: 'subscriber',
          user,
          subscribed_to: {
            object: 'subscription_dehydrated',
            provider_name: PROVIDER,
            contract_address: item.address,
            chain: viewChain(item.network),
            ...viewTimes(item),
            tier_id: String(item.subscription.tierId),
            protocol_version: item.contract.version,
          },
        },
      ];
    });
    return withPartial({ subscribers }, partial);
  },
});
