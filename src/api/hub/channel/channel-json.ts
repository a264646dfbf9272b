import { toHex } from '../../../hex.js';
import type { SlotState } from '../../../protocol/channel/authority.js';
import { fromUnixMs } from '../../../protocol/time.js';
import type { HubChannelMemberState } from '../../../schema/hub/channel.js';
import type { OwnedChannel } from '../../../store/hub/channel.js';

/** The names of hubs for what an account is to a channel. */
export const MEMBER_STATE = {
  member: 'CHANNEL_MEMBER_STATE_MEMBER',
  moderator: 'CHANNEL_MEMBER_STATE_MODERATOR',
  removed: 'CHANNEL_MEMBER_STATE_REMOVED',
  banned: 'CHANNEL_MEMBER_STATE_BANNED',
} as const satisfies Record<SlotState, HubChannelMemberState>;

/** Hubs write 0 and no bytes for what no event says. */
export const ownerJson = ({ ownerFid, ownerAddress, expiresAt }: OwnedChannel) => ({
  fid: ownerFid ?? 0,
  ownerAddress: ownerAddress === null ? '0x' : toHex(ownerAddress),
  expiry: expiresAt ?? 0,
});

export const channelJson = (channel: OwnedChannel) => ({ channelKey: channel.key, ...ownerJson(channel) });

/** @returns protocol seconds */
export const followTime = (followedAt: Date): number => fromUnixMs(followedAt.getTime());
