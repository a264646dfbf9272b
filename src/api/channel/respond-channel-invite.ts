import { respondToInvite } from '../../channel/invite.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { RespondChannelInviteReqBody } from '../../schema/social/channel-member.js';
import { channelIdOf } from '../feed/channel-url.js';
import { operation } from '../http/operation.js';

export const respondChannelInvite = operation({
  id: 'respond-channel-invite',
  method: 'PUT',
  path: '/v2/social/channel/member/invite/',
  tags: ['Channel'],
  title: 'Answer an invite',
  summary: "Accept or decline an open invite of the signer's account to a channel.",
  cost: { fixed: 10 },
  body: RespondChannelInviteReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID, channel_id: 'food', role: 'member', accept: true },
  response: OperationResponse,
  errors: [400, 500],
  handle: async ({ body, caller }, { channels, signers }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'WRITE_ALL');
    await respondToInvite(channels, signer, channelIdOf(body.channel_id), body.role, body.accept);
    return { success: true };
  },
});
