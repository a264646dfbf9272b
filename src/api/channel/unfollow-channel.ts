import { unfollowChannel as unfollowStoredChannel } from '../../channel/follow.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { ChannelFollowReqBody } from '../../schema/social/channel.js';
import { channelIdOf } from '../feed/channel-url.js';
import { operation } from '../http/operation.js';

export const unfollowChannel = operation({
  id: 'unfollow-channel',
  method: 'DELETE',
  path: '/v2/social/channel/follow/',
  tags: ['Channel'],
  title: 'Unfollow a channel',
  summary: 'Unfollow a channel; repeating it changes nothing.',
  cost: { fixed: 10 },
  body: ChannelFollowReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID, channel_id: 'dev' },
  response: OperationResponse,
  errors: [400, 401, 403, 404, 500, 502],
  handle: async ({ body, caller }, { channels, signers }) => {
    const signer = await signers.use(caller.appId, body.signer_uuid, 'UNFOLLOW_CHANNEL');
    await unfollowStoredChannel(channels, signer, channelIdOf(body.channel_id));
    return { success: true };
  },
});
