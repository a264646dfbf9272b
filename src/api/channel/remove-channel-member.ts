import { removeMember } from '../../channel/remove.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { RemoveChannelMemberReqBody } from '../../schema/social/channel-member.js';
import { channelIdOf } from '../feed/channel-url.js';
import { operation } from '../http/operation.js';

export const removeChannelMember = operation({
  id: 'remove-channel-member',
  method: 'DELETE',
  path: '/v2/social/channel/member/',
  tags: ['Channel'],
  title: 'Remove a member',
  summary:
    'Remove a member or an open invite from a channel, or leave it; removing an account without that role changes nothing.',
  cost: { fixed: 10 },
  body: RemoveChannelMemberReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID, channel_id: 'dev', fid: 2, role: 'member' },
  response: OperationResponse,
  errors: [400, 500],
  handle: async ({ body, caller }, { channels, signers }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'WRITE_ALL');
    await removeMember(channels, signer, channelIdOf(body.channel_id), body.fid, body.role);
    return { success: true };
  },
});
