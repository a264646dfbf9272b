import { inviteMember } from '../../channel/invite.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { InviteChannelMemberReqBody } from '../../schema/social/channel-member.js';
import { channelIdOf } from '../feed/channel-url.js';
import { operation } from '../http/operation.js';

export const inviteChannelMember = operation({
  id: 'invite-channel-member',
  method: 'POST',
  path: '/v2/social/channel/member/invite/',
  tags: ['Channel'],
  title: 'Invite to a channel',
  summary: 'Invite a user to be a member or moderator of a channel; the owner and moderators can.',
  cost: { fixed: 10 },
  body: InviteChannelMemberReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID, channel_id: 'dev', fid: 2, role: 'member' },
  response: OperationResponse,
  errors: [400, 500],
  handle: async ({ body, caller }, { channels, signers }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'WRITE_ALL');
    await inviteMember(channels, signer, channelIdOf(body.channel_id), body.fid, body.role);
    return { success: true };
  },
});
