import Type from 'typebox';
import { FidOrZero } from '../../schema/fid.js';
import { SubscriptionsResponse } from '../../schema/onchain/stp.js';
import { stringEnum } from '../../schema/string-enum.js';
import { operation } from '../http/operation.js';
import { withPartial } from '../onchain/partial-network.js';
import { addressesOf } from './account-address.js';
import { PROVIDER, viewSubscription } from './view-subscription.js';
import { isHidden } from './visible-user.js';

export const fetchSubscriptionsForFid = operation({
  id: 'fetch-subscriptions-for-fid',
  path: '/v2/social/user/subscriptions_created/',
  tags: ['Subscribers'],
  title: "List a user's subscription contracts",
  summary: 'List the subscription contracts that a user owns now, the latest 100.',
  cost: { fixed: 100 },
  waitsOutside: true,
  query: Type.Object({ fid: FidOrZero, subscription_provider: stringEnum([PROVIDER]) }),
  parameters: {
    fid: { description: 'The owner of the contracts.', example: 1 },
    subscription_provider: { description: 'The subscription token protocol.', example: 'stp' },
  },
  response: SubscriptionsResponse,
  handle: async ({ query, caller }, services) => {
    const audience = { appId: caller.appId, viewer: null };
    if (await isHidden(services, query.fid, audience)) return { subscriptions_created: [] };
    const addresses = await addressesOf(services, query.fid);
    const { items, partial } = await services.stp.contractsOf('subscription_provider', addresses);
    const created = items.flatMap((item) => viewSubscription(item) ?? []);
    // One list of all contracts: the outer list has no other meaning.
    const subscriptions_created = created.length === 0 ? [] : [{ subscriptions_created: created }];
    return withPartial({ subscriptions_created }, partial);
  },
});
