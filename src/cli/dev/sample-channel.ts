import type { Session } from '../../db/statement.js';
import { toUnixMs } from '../../protocol/time.js';
import type { SampleChannel } from '../../sample/channel.js';
import type { SampleCommunity } from '../../sample/channel-community.js';
import { pictureUrl } from '../../sample/picture/picture-address.js';
import { insertChannelFollows } from '../../store/channel/follow.js';
import { upsertInvite } from '../../store/channel/invite.js';
import { type ChannelDescription, describeChannel, replaceMembers, upsertChannels } from '../../store/channel/write.js';

const dateOf = (ts: number): Date => new Date(toUnixMs(ts));

const descriptionOf = (channel: SampleChannel, pictures: string): ChannelDescription =>
  describeChannel({
    id: channel.id,
    source: 'local',
    parentUrl: channel.parentUrl,
    name: channel.name,
    description: channel.description,
    imageUrl: pictureUrl(pictures, 'channel', channel.id),
    leadFid: channel.leadFid,
    createdAt: dateOf(channel.createdAt),
    updatedAt: dateOf(channel.createdAt),
  });

/**
 * Stores the channels of the sample network with their members, followers and invites.
 * @param pictures base URL of pictures
 */
export const storeSampleChannels = async (
  session: Session,
  channels: readonly SampleChannel[],
  communities: readonly SampleCommunity[],
  pictures: string,
): Promise<void> => {
  await upsertChannels(
    session,
    channels.map((channel) => descriptionOf(channel, pictures)),
  );
  const members = communities.flatMap(({ channelId, members: all }) =>
    all.map(({ fid, role, at }) => ({ channelId, fid, role, since: dateOf(at) })),
  );
  await replaceMembers(
    session,
    communities.map(({ channelId }) => channelId),
    members,
  );
  const follows = communities.flatMap(({ channelId, follows: all }) =>
    all.map(({ fid, at }) => ({ channelId, fid, followedAt: dateOf(at) })),
  );
  await insertChannelFollows(session, follows);
  for (const { channelId, invites } of communities) {
    for (const { at, ...invite } of invites)
      await upsertInvite(session, { ...invite, channelId, invitedAt: dateOf(at) });
  }
};
