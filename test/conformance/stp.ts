import { expect } from 'vitest';
import { someone } from '../support/nft.js';
import { FIDS } from '../support/seed.js';
import { MONTH } from '../support/stp-contract.js';
import { type Case, casesOf } from './case.js';
import type { PayEnvironment } from './pay-environment.js';

const STP = 'fabric_stp';

/** Subscription tokens: whether addresses are subscribed, and the lists of a user. */
export const stpCases: readonly Case<PayEnvironment>[] = casesOf<PayEnvironment>()(
  {
    id: 'fetch-subscription-check',
    does: 'tells whether addresses are subscribed, by the address as it was written',
    call: ({ api }, { subscription }) =>
      api.fetchSubscriptionCheck({ addresses: [someone(9)], contractAddress: subscription, chainId: '8453' }),
    look: async ({ api }, { subscription, seeded }) => {
      const bob = seeded.bob.custody.account.address;
      const found = await api.fetchSubscriptionCheck({
        addresses: [bob, someone(9)],
        contractAddress: subscription,
        chainId: '8453',
      });
      expect(found[bob]).toMatchObject({ status: true, tier: { id: 0 } });
      const { expires_at: end, subscribed_at: begin } = found[bob] ?? {};
      expect(Number(end) - Number(begin)).toBe(MONTH * 1000);
      expect(found[someone(9)]).toMatchObject({ status: false, expires_at: null, tier: null });
    },
  },
  {
    id: 'fetch-subscribed-to-for-fid',
    does: 'lists what a user is subscribed to, with the creator',
    call: ({ api }) => api.fetchSubscribedToForFid({ fid: FIDS.bob, subscriptionProvider: STP }),
    look: async ({ api }, { subscription }) => {
      const { subscribed_to: found } = await api.fetchSubscribedToForFid({
        fid: FIDS.bob,
        subscriptionProvider: STP,
        viewerFid: FIDS.dan,
      });
      expect(found).toMatchObject([
        { contract_address: subscription, chain: 8453, creator: { fid: FIDS.alice, viewer_context: {} } },
      ]);
    },
  },
  {
    id: 'fetch-subscribers-for-fid',
    does: "lists the subscribers of a user's contracts",
    call: ({ api }) => api.fetchSubscribersForFid({ fid: FIDS.alice, subscriptionProvider: STP }),
    look: async ({ api }, { subscription }) => {
      const asked = { fid: FIDS.alice, viewerFid: FIDS.dan } as const;
      const { subscribers } = await api.fetchSubscribersForFid({ ...asked, subscriptionProvider: STP });
      expect(subscribers).toMatchObject([
        { user: { fid: FIDS.bob }, subscribed_to: { contract_address: subscription, tier_id: '0' } },
      ]);
      expect(await api.fetchSubscribersForFid({ ...asked, subscriptionProvider: 'paragraph' })).toEqual({
        subscribers: [],
      });
    },
  },
  {
    id: 'fetch-subscriptions-for-fid',
    does: 'lists the contracts that a user owns',
    call: ({ api }) => api.fetchSubscriptionsForFid({ fid: FIDS.alice, subscriptionProvider: STP }),
    look: async ({ api }, { subscription }) => {
      const { subscriptions_created: lists } = await api.fetchSubscriptionsForFid({
        fid: FIDS.alice,
        subscriptionProvider: STP,
      });
      expect(lists).toMatchObject([{ subscriptions_created: [{ contract_address: subscription, price: {} }] }]);
    },
  },
);
