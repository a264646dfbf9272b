import { expect } from 'vitest';
import { countChannelActivity } from '../../src/job/channel-activity.js';
import { CHANNEL_URL, FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import { KITCHEN_URL } from './environment.js';
import { walk } from './page.js';
import type { WriteEnvironment } from './write-environment.js';

const { alice, bob, carol, dan } = FIDS;

const idsOf = ({ channels }: { readonly channels?: readonly { readonly id: string }[] }): string[] =>
  (channels ?? []).map(({ id }) => id);

type Clients = Parameters<Case<WriteEnvironment>['call']>[0];
type Signer = keyof WriteEnvironment['signers'];

const follow = ({ api }: Clients, { signers }: WriteEnvironment, who: Signer, channelId = 'garden') =>
  api.followChannel({ signerUuid: signers[who], channelId });

/** Dan joins the garden, which carol leads. */
const join = async (clients: Clients, environment: WriteEnvironment): Promise<void> => {
  const { api } = clients;
  const { signers } = environment;
  await follow(clients, environment, 'dan');
  const member = { channelId: 'garden', fid: dan, role: 'member' } as const;
  await api.removeChannelMember({ signerUuid: signers.carol, ...member });
  await api.inviteChannelMember({ signerUuid: signers.carol, ...member });
  await api.respondChannelInvite({ signerUuid: signers.dan, channelId: 'garden', role: 'member', accept: true });
};

const BAD_GATEWAY = 'Only a client that decides about channels can fail to answer: test/channel-client.test.ts.';

/** Channels and those who follow, join and moderate them. */
export const channelCases: readonly Case<WriteEnvironment>[] = casesOf<WriteEnvironment>()(
  {
    id: 'lookup-channel',
    does: 'finds a channel by its id and by its URL',
    call: ({ api }) => api.lookupChannel({ id: 'garden' }),
    look: async ({ api }) => {
      const byId = await api.lookupChannel({ id: 'garden', type: 'id', viewerFid: bob });
      expect(byId.channel).toMatchObject({ id: 'garden', parent_url: CHANNEL_URL, lead: { fid: carol } });
      const byUrl = await api.lookupChannel({ id: CHANNEL_URL, type: 'parent_url' });
      expect(byUrl.channel.id).toBe('garden');
    },
    errors: { 404: ({ api }) => api.lookupChannel({ id: 'nowhere' }) },
  },
  {
    id: 'fetch-bulk-channels',
    does: 'finds channels in the order asked for',
    call: ({ api }) => api.fetchBulkChannels({ ids: ['garden'] }),
    look: async ({ api }) => {
      const found = await api.fetchBulkChannels({ ids: ['kitchen', 'garden'], type: 'id', viewerFid: bob });
      expect(idsOf(found)).toEqual(['kitchen', 'garden']);
    },
    errors: { 404: ({ api }) => api.fetchBulkChannels({ ids: ['nowhere'] }) },
  },
  {
    id: 'fetch-all-channels',
    does: 'lists channels, page by page',
    call: ({ api }) => api.fetchAllChannels({}),
    look: async ({ api }) => {
      const seen = await walk((cursor) => api.fetchAllChannels({ limit: 1, ...(cursor && { cursor }) }), idsOf);
      expect([...seen].sort()).toEqual(['garden', 'kitchen']);
    },
  },
  {
    id: 'search-channels',
    does: 'finds channels by parts of their names, page by page',
    call: ({ api }) => api.searchChannels({ q: 'gar' }),
    look: async ({ api }) => {
      const seen = await walk(
        (cursor) => api.searchChannels({ q: 'gard', limit: 1, viewerFid: bob, ...(cursor && { cursor }) }),
        idsOf,
      );
      expect(seen).toEqual(['garden', 'kitchen']);
    },
  },
  {
    id: 'follow-channel',
    does: 'makes an account follow a channel',
    call: (clients, environment) => follow(clients, environment, 'bob'),
    look: async (clients, environment) => {
      await follow(clients, environment, 'bob');
      const { channel } = await clients.api.lookupChannel({ id: 'garden', viewerFid: bob });
      expect(channel.viewer_context?.following).toBe(true);
    },
    errors: {
      400: ({ api }) => api.followChannel({ signerUuid: 'none', channelId: 'garden' }),
      404: ({ api }, { signers }) => api.followChannel({ signerUuid: signers.bob, channelId: 'nowhere' }),
    },
    beyond: { 502: BAD_GATEWAY },
  },
  {
    id: 'unfollow-channel',
    does: 'makes an account stop following a channel',
    call: ({ api }, { signers }) => api.unfollowChannel({ signerUuid: signers.bob, channelId: 'garden' }),
    look: async (clients, environment) => {
      await follow(clients, environment, 'bob');
      await clients.api.unfollowChannel({ signerUuid: environment.signers.bob, channelId: 'garden' });
      const { channel } = await clients.api.lookupChannel({ id: 'garden', viewerFid: bob });
      expect(channel.viewer_context?.following).toBe(false);
    },
    errors: {
      400: ({ api }) => api.unfollowChannel({ signerUuid: 'none', channelId: 'garden' }),
      404: ({ api }, { signers }) => api.unfollowChannel({ signerUuid: signers.bob, channelId: 'nowhere' }),
    },
    beyond: { 502: BAD_GATEWAY },
  },
  {
    id: 'fetch-followers-for-a-channel',
    does: 'lists followers of a channel, page by page',
    call: ({ api }) => api.fetchFollowersForAChannel({ id: 'garden' }),
    look: async (clients, environment) => {
      await follow(clients, environment, 'alice');
      await follow(clients, environment, 'bob');
      const seen = await walk(
        (cursor) =>
          clients.api.fetchFollowersForAChannel({
            id: 'garden',
            limit: 1,
            viewerFid: carol,
            ...(cursor && { cursor }),
          }),
        ({ users }) => users.map(({ fid }) => fid),
      );
      expect(seen).toEqual(expect.arrayContaining([alice, bob]));
    },
  },
  {
    id: 'fetch-relevant-followers-for-a-channel',
    does: 'shows the followers of a channel whom the viewer follows',
    call: ({ api }) => api.fetchRelevantFollowersForAChannel({ id: 'garden', viewerFid: alice }),
    look: async (clients, environment) => {
      await follow(clients, environment, 'bob');
      const answer = await clients.api.fetchRelevantFollowersForAChannel({ id: 'garden', viewerFid: alice });
      expect(answer.all_relevant_followers_dehydrated.map(({ user }) => user?.fid)).toContain(bob);
    },
  },
  {
    id: 'fetch-user-channels',
    does: 'lists the channels that a user follows, page by page',
    call: ({ api }) => api.fetchUserChannels({ fid: bob }),
    look: async (clients, environment) => {
      await follow(clients, environment, 'bob', 'kitchen');
      await clients.api.unfollowChannel({ signerUuid: environment.signers.bob, channelId: 'garden' });
      await follow(clients, environment, 'bob');
      const seen = await walk(
        (cursor) => clients.api.fetchUserChannels({ fid: bob, limit: 1, ...(cursor && { cursor }) }),
        idsOf,
      );
      expect(seen).toEqual(['garden', 'kitchen']);
    },
  },
  {
    id: 'fetch-channel-members',
    does: 'lists the owner before members, page by page',
    call: ({ api }) => api.fetchChannelMembers({ channelId: 'garden' }),
    look: async (clients, environment) => {
      await join(clients, environment);
      const seen = await walk(
        (cursor) => clients.api.fetchChannelMembers({ channelId: 'garden', limit: 1, ...(cursor && { cursor }) }),
        ({ members }) => members.map(({ user, role }) => `${user.fid} ${role}`),
      );
      expect(seen).toEqual([`${carol} owner`, `${dan} member`]);
      const one = await clients.api.fetchChannelMembers({ channelId: 'garden', fid: dan });
      expect(one.members).toHaveLength(1);
    },
  },
  {
    id: 'fetch-user-channel-memberships',
    does: 'lists the channels that a user leads or joined, page by page',
    call: ({ api }) => api.fetchUserChannelMemberships({ fid: carol }),
    look: async ({ api }) => {
      const seen = await walk(
        (cursor) => api.fetchUserChannelMemberships({ fid: carol, limit: 1, ...(cursor && { cursor }) }),
        ({ members }) => members.map(({ channel }) => channel.id),
      );
      expect([...seen].sort()).toEqual(['garden', 'kitchen']);
    },
  },
  {
    id: 'fetch-users-active-channels',
    does: 'lists the channels in which a user cast',
    call: ({ api }) => api.fetchUsersActiveChannels({ fid: alice }),
    look: async ({ api }, { network, seeded }) => {
      await network.load([seeded.alice.cast({ text: 'Soup', parent: KITCHEN_URL }).item]);
      const seen = await walk(
        (cursor) => api.fetchUsersActiveChannels({ fid: alice, limit: 1, ...(cursor && { cursor }) }),
        idsOf,
      );
      expect(seen).toEqual(['kitchen', 'garden']);
    },
    errors: { 404: ({ api }) => api.fetchUsersActiveChannels({ fid: 4_000_001 }) },
  },
  {
    id: 'fetch-trending-channels',
    does: 'lists channels by their casts, page by page',
    call: ({ api }) => api.fetchTrendingChannels({}),
    look: async ({ api }, { network, seeded }) => {
      await network.load([seeded.alice.cast({ text: 'Salad', parent: KITCHEN_URL }).item]);
      const { db } = network.app.core;
      await countChannelActivity({ db, now: Date.now(), changed: network.app.invalidate });
      const seen = await walk(
        (cursor) => api.fetchTrendingChannels({ timeWindow: '30d', limit: 1, ...(cursor && { cursor }) }),
        ({ channels }) => channels.map(({ channel, cast_count_30d }) => `${channel.id} ${cast_count_30d}`),
      );
      expect(seen).toHaveLength(2);
      expect(seen[0]).toMatch(/^garden ([3-9]|\d\d)$/);
    },
  },
  {
    id: 'invite-channel-member',
    does: 'invites an account, which answers',
    call: ({ api }, { signers }) =>
      api.inviteChannelMember({ signerUuid: signers.carol, channelId: 'garden', fid: alice, role: 'member' }),
    look: async (clients, environment) => {
      await join(clients, environment);
      const { members } = await clients.api.fetchChannelMembers({ channelId: 'garden', fid: dan });
      expect(members.map(({ role }) => role)).toEqual(['member']);
    },
    errors: {
      400: ({ api }, { signers }) =>
        api.inviteChannelMember({ signerUuid: signers.carol, channelId: 'garden', fid: alice, role: 'owner' }),
    },
  },
  {
    id: 'fetch-channel-invites',
    does: 'lists open invites of a channel and of an account, page by page',
    call: ({ api }) => api.fetchChannelInvites({}),
    look: async ({ api }, { signers }) => {
      for (const channelId of ['garden', 'kitchen']) {
        await api.followChannel({ signerUuid: signers.bob, channelId });
        await api.inviteChannelMember({ signerUuid: signers.carol, channelId, fid: bob, role: 'member' });
      }
      const seen = await walk(
        (cursor) => api.fetchChannelInvites({ invitedFid: bob, limit: 1, ...(cursor && { cursor }) }),
        ({ invites }) => invites.map(({ channel_id, inviter }) => `${channel_id} ${inviter.fid}`),
      );
      expect(seen).toEqual([`kitchen ${carol}`, `garden ${carol}`]);
      const one = await api.fetchChannelInvites({ invitedFid: bob, channelId: 'garden' });
      expect(one.invites).toHaveLength(1);
    },
  },
  {
    id: 'respond-channel-invite',
    does: 'declines an invite',
    // An invite is answered once.
    call: async ({ api }, { signers }) => {
      const invited = { channelId: 'kitchen', role: 'member' } as const;
      const invite = api.inviteChannelMember({ signerUuid: signers.carol, ...invited, fid: alice });
      await invite.catch(() => undefined);
      return api.respondChannelInvite({ signerUuid: signers.alice, ...invited, accept: false });
    },
    look: async (clients, environment) => {
      await join(clients, environment);
      const { invites } = await clients.api.fetchChannelInvites({ channelId: 'garden', invitedFid: dan });
      expect(invites).toEqual([]);
    },
    errors: {
      400: ({ api }, { signers }) =>
        api.respondChannelInvite({ signerUuid: signers.bob, channelId: 'garden', role: 'moderator', accept: true }),
    },
  },
  {
    id: 'remove-channel-member',
    does: 'removes a member',
    call: ({ api }, { signers }) =>
      api.removeChannelMember({ signerUuid: signers.carol, channelId: 'garden', fid: bob, role: 'member' }),
    look: async (clients, environment) => {
      await join(clients, environment);
      const member = { channelId: 'garden', fid: dan, role: 'member' } as const;
      await clients.api.removeChannelMember({ signerUuid: environment.signers.carol, ...member });
      const { members } = await clients.api.fetchChannelMembers({ channelId: 'garden', fid: dan });
      expect(members).toEqual([]);
    },
    errors: {
      400: ({ api }, { signers }) =>
        api.removeChannelMember({ signerUuid: signers.bob, channelId: 'garden', fid: carol, role: 'owner' }),
    },
  },
);
