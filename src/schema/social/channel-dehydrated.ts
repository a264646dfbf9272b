import Type, { type Static } from 'typebox';
import { named } from '../named.js';

export const ChannelMemberRole = named(
  'ChannelMemberRole',
  Type.Enum(['member', 'moderator', 'owner'], { type: 'string' }),
);

export const ChannelUserContext = named(
  'ChannelUserContext',
  Type.Object({ following: Type.Boolean(), role: Type.Optional(ChannelMemberRole) }),
);
export const ChannelDehydrated = named(
  'ChannelDehydrated',
  Type.Object({
    id: Type.String(),
    image_url: Type.Optional(Type.String()),
    name: Type.String(),
    object: Type.Enum(['channel_dehydrated'], { type: 'string' }),
    viewer_context: Type.Optional(ChannelUserContext),
  }),
);
export type ChannelDehydrated = Static<typeof ChannelDehydrated>;
