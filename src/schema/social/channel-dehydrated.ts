import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';

export const ChannelMemberRole = named('ChannelMemberRole', stringEnum(['member', 'moderator', 'owner']));

export const ChannelUserContext = namedObject('ChannelUserContext', {
  following: Type.Boolean(),
  role: Type.Optional(ChannelMemberRole),
});
export const ChannelDehydrated = namedObject('ChannelDehydrated', {
  id: Type.String(),
  image_url: Type.Optional(Type.String()),
  name: Type.String(),
  object: stringEnum(['channel_dehydrated']),
  viewer_context: Type.Optional(ChannelUserContext),
});
export type ChannelDehydrated = Static<typeof ChannelDehydrated>;
