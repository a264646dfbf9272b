import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { Channel, ChannelId } from './channel.js';
import { ChannelDehydrated, ChannelMemberRole } from './channel-dehydrated.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const ChannelMember = namedObject('ChannelMember', {
  channel: Type.Union([Channel, ChannelDehydrated]),
  object: stringEnum(['member']),
  role: ChannelMemberRole,
  user: Type.Union([UserDehydrated, User]),
});
export type ChannelMember = Static<typeof ChannelMember>;

export const ChannelMemberListResponse = namedObject('ChannelMemberListResponse', {
  members: Type.Array(ChannelMember),
  next: NextCursor,
});

export const ChannelMemberInvite = namedObject('ChannelMemberInvite', {
  channel_id: ChannelId,
  invited: User,
  inviter: User,
  role: ChannelMemberRole,
});

export const ChannelMemberInviteListResponse = namedObject('ChannelMemberInviteListResponse', {
  invites: Type.Array(ChannelMemberInvite),
  next: Type.Optional(NextCursor),
});

const invited = { channel_id: ChannelId, fid: Fid, role: ChannelMemberRole, signer_uuid: SignerUUID };

export const InviteChannelMemberReqBody = namedObject('InviteChannelMemberReqBody', invited);

export const RemoveChannelMemberReqBody = namedObject('RemoveChannelMemberReqBody', invited);

export const RespondChannelInviteReqBody = namedObject('RespondChannelInviteReqBody', {
  accept: Type.Boolean(),
  channel_id: ChannelId,
  role: ChannelMemberRole,
  signer_uuid: SignerUUID,
});
