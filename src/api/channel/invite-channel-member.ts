import { inviteMember } from '../../channel/invite.js';
import { OperationResponse } from '../../schema/operation.js';
import { InviteChannelMemberReqBody } from '../../schema/social/channel-member.js';
import { channelIdOf } from '../feed/channel-url.js';
import { operation } from '../http/operation.js';

export const inviteChannelMember = operation({
  id: 'invite-channel-member',
  method: 'POST',
  path: '/v2/social/channel/member/invite/',
  tags: ['Channel'],
  summary: 'Invite a user to be a member or moderator of a channel; the owner and moderators can.',
  body: InviteChannelMemberReqBody,
  response: OperationResponse,
  errors: [400, 500],
  handle: async ({ body, caller }, { channels, signers }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'WRITE_ALL');
    await inviteMember(channels, signer, channelIdOf(body.channel_id), body.fid, body.role);
    return { success: true };
  },
});
