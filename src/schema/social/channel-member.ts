import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { NextCursor } from '../page.js';
import { Channel, ChannelId } from './channel.js';
import { ChannelDehydrated, ChannelMemberRole } from './channel-dehydrated.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const ChannelMember = named(
  'ChannelMember',
  Type.Object({
    channel: Type.Union([Channel, ChannelDehydrated]),
    object: Type.Enum(['member'], { type: 'string' }),
    role: ChannelMemberRole,
    user: Type.Union([UserDehydrated, User]),
  }),
);
export type ChannelMember = Static<typeof ChannelMember>;

export const ChannelMemberListResponse = named(
  'ChannelMemberListResponse',
  Type.Object({ members: Type.Array(ChannelMember), next: NextCursor }),
);

export const ChannelMemberInvite = named(
  'ChannelMemberInvite',
  Type.Object({ channel_id: ChannelId, invited: User, inviter: User, role: ChannelMemberRole }),
);
export const ChannelMemberInviteListResponse = named(
  'ChannelMemberInviteListResponse',
  Type.Object({ invites: Type.Array(ChannelMemberInvite), next: Type.Optional(NextCursor) }),
);

export const InviteChannelMemberReqBody = named(
  'InviteChannelMemberReqBody',
  Type.Object({ channel_id: ChannelId, fid: Fid, role: ChannelMemberRole, signer_uuid: SignerUUID }),
);

export const RemoveChannelMemberReqBody = named(
  'RemoveChannelMemberReqBody',
  Type.Object({ channel_id: ChannelId, fid: Fid, role: ChannelMemberRole, signer_uuid: SignerUUID }),
);

export const RespondChannelInviteReqBody = named(
  'RespondChannelInviteReqBody',
  Type.Object({ accept: Type.Boolean(), channel_id: ChannelId, role: ChannelMemberRole, signer_uuid: SignerUUID }),
);
