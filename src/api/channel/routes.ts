import type { Operation } from '../http/operation.js';
import { fetchAllChannels } from './fetch-all-channels.js';
import { fetchBulkChannels } from './fetch-bulk-channels.js';
import { fetchChannelInvites } from './fetch-channel-invites.js';
import { fetchChannelMembers } from './fetch-channel-members.js';
import { fetchFollowersForAChannel } from './fetch-followers-for-a-channel.js';
import { fetchRelevantFollowersForAChannel } from './fetch-relevant-followers-for-a-channel.js';
import { fetchTrendingChannels } from './fetch-trending-channels.js';
import { fetchUserChannelMemberships } from './fetch-user-channel-memberships.js';
import { fetchUserChannels } from './fetch-user-channels.js';
import { fetchUsersActiveChannels } from './fetch-users-active-channels.js';
import { followChannel } from './follow-channel.js';
import { inviteChannelMember } from './invite-channel-member.js';
import { lookupChannel } from './lookup-channel.js';
import { removeChannelMember } from './remove-channel-member.js';
import { respondChannelInvite } from './respond-channel-invite.js';
import { searchChannels } from './search-channels.js';
import { unfollowChannel } from './unfollow-channel.js';

export const channelRoutes: readonly Operation[] = [
  lookupChannel,
  fetchBulkChannels,
  fetchAllChannels,
  searchChannels,
  fetchTrendingChannels,
  fetchUsersActiveChannels,
  fetchUserChannels,
  followChannel,
  unfollowChannel,
  fetchFollowersForAChannel,
  fetchRelevantFollowersForAChannel,
  fetchChannelMembers,
  fetchUserChannelMemberships,
  inviteChannelMember,
  respondChannelInvite,
  fetchChannelInvites,
  removeChannelMember,
];
