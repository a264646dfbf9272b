import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { Channel } from './channel.js';
import { ChannelDehydrated, ChannelMemberRole } from './channel-dehydrated.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const ChannelMember = namedObject('ChannelMember', {
  channel: Type.Union([Channel, ChannelDehydrated]),
  object: stringEnum(['member']),
  role: ChannelMemberRole,
  user: Type.Union([UserDehydrated, User]),
});
export type ChannelMember = Static<typeof ChannelMember>;
