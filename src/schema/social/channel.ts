import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { TextRange } from '../text-range.js';
import { ChannelDehydrated, ChannelUserContext } from './channel-dehydrated.js';
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
export type Channel = Static<typeof Channel>;

/** Distinguished by `object`. */
export const ChannelOrChannelDehydrated = named('ChannelOrChannelDehydrated', Type.Union([Channel, ChannelDehydrated]));
export type ChannelOrChannelDehydrated = Static<typeof ChannelOrChannelDehydrated>;

export const ChannelId = named('ChannelId', Type.String({ description: 'Identifier of a channel.' }));
