import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named, namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { TextRange } from '../text-range.js';
import { ChannelDehydrated, ChannelUserContext } from './channel-dehydrated.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const Channel = namedObject('Channel', {
  created_at: Type.String({ format: 'date-time' }),
  description: Type.Optional(Type.String()),
  description_mentioned_profiles: Type.Optional(Type.Array(UserDehydrated)),
  description_mentioned_profiles_ranges: Type.Optional(Type.Array(TextRange)),
  external_link: Type.Optional(Type.Object({ title: Type.Optional(Type.String()), url: Type.Optional(Type.String()) })),
  follower_count: Type.Optional(Type.Integer()),
  hosts: Type.Optional(Type.Array(User, { deprecated: true })),
  id: Type.String(),
  image_url: Type.Optional(Type.String()),
  lead: Type.Optional(User),
  member_count: Type.Optional(Type.Integer({ format: 'int32' })),
  moderator: Type.Optional(Type.Intersect([User], { deprecated: true, description: 'Superseded by lead.' })),
  moderator_fids: Type.Optional(Type.Array(Fid)),
  name: Type.Optional(Type.String()),
  object: stringEnum(['channel']),
  parent_url: Type.Optional(Type.String({ format: 'uri' })),
  pinned_cast_hash: Type.Optional(Type.String({ pattern: '^(0x)?[a-fA-F0-9]{40}$' })),
  url: Type.String(),
  viewer_context: Type.Optional(ChannelUserContext),
});

/** Distinguished by `object`. */
export const ChannelOrChannelDehydrated = named('ChannelOrChannelDehydrated', Type.Union([Channel, ChannelDehydrated]));
export type ChannelOrChannelDehydrated = Static<typeof ChannelOrChannelDehydrated>;

export const ChannelId = named('ChannelId', Type.String({ description: 'Identifier of a channel.' }));

/** The counts are strings, as in the contract. */
export const ChannelActivity = namedObject('ChannelActivity', {
  cast_count_1d: Type.String(),
  cast_count_30d: Type.String(),
  cast_count_7d: Type.String(),
  channel: Channel,
  object: stringEnum(['channel_activity']),
});

export const ChannelResponse = namedObject('ChannelResponse', { channel: Channel });

export const ChannelResponseBulk = namedObject('ChannelResponseBulk', { channels: Type.Array(Channel) });

export const ChannelListResponse = namedObject('ChannelListResponse', {
  channels: Type.Array(Channel),
  next: Type.Optional(NextCursor),
});

export const ChannelSearchResponse = namedObject('ChannelSearchResponse', {
  channels: Type.Array(Channel),
  next: NextCursor,
});

export const TrendingChannelResponse = namedObject('TrendingChannelResponse', {
  channels: Type.Array(ChannelActivity),
  next: NextCursor,
});

export const UsersActiveChannelsResponse = namedObject('UsersActiveChannelsResponse', {
  channels: Type.Optional(Type.Array(Channel)),
  next: Type.Optional(NextCursor),
});

export const ChannelFollowReqBody = namedObject('ChannelFollowReqBody', {
  channel_id: ChannelId,
  signer_uuid: SignerUUID,
});
