import Type from 'typebox';
import { FidOrZero } from '../../schema/fid.js';
import { type SubscribedTo, SubscribedToResponse } from '../../schema/onchain/stp.js';
import { stringEnum } from '../../schema/string-enum.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { withPartial } from '../onchain/partial-network.js';
import { accountsOf, addressesOf } from './account-address.js';
import { PROVIDER, viewSubscription, viewTier, viewTimes } from './view-subscription.js';
import { isHidden, visibleUsers } from './visible-user.js';

export const fetchSubscribedToForFid = operation({
  id: 'fetch-subscribed-to-for-fid',
  path: '/v2/social/user/subscribed_to/',
  tags: ['Subscribers'],
  title: "List a user's subscriptions",
  summary: 'List what a user is or was subscribed to, the latest 100 subscriptions.',
  cost: { fixed: 100 },
  waitsOutside: true,
  query: Type.Object({
    fid: FidOrZero,
    viewer_fid: viewerFid,
    subscription_provider: stringEnum([PROVIDER]),
  }),
  parameters: {
    fid: { description: 'The subscriber, with all of its addresses.', example: 1 },
    subscription_provider: { description: 'The subscription token protocol.', example: 'stp' },
    viewer_fid: { description: 'The user who looks at the list: accounts hidden from that user are left out.' },
  },
  response: SubscribedToResponse,
  handle: async ({ query, caller }, services) => {
    const { fid, viewer_fid: viewer = null } = query;
    const audience = { appId: caller.appId, viewer };
    if (await isHidden(services, fid, audience)) return { subscribed_to: [] };
    const addresses = await addressesOf(services, fid);
    const { items, partial } = await services.stp.subscriptionsOf('subscription_provider', addresses);
    const creators = await accountsOf(
      services,
      items.map(({ owner }) => owner),
    );
    const users = await visibleUsers(services, [...creators.values()], audience);
    const subscribed_to = items.flatMap((item): SubscribedTo[] => {
      const creator = users.get(creators.get(item.owner) ?? 0);
      const tier = item.contract.tiers.find(({ id }) => id === item.subscription.tierId);
      const subscription = viewSubscription(item, tier);
      if (creator === undefined || tier === undefined || subscription === undefined) return [];
      return [{ ...subscription, ...viewTimes(item), tier: viewTier(tier), creator }];
    });
    return withPartial({ subscribed_to }, partial);
  },
});
