import Type from 'typebox';
import { hydrateChannels } from '../../hydrate/page.js';
import { ChannelResponse } from '../../schema/social/channel.js';
import { viewChannelResponse } from '../../view/channel/channel-page.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { findChannels, idType, unknownChannel } from './channel-query.js';

export const lookupChannel = operation({
  id: 'lookup-channel',
  path: '/v2/social/channel/',
  tags: ['Channel'],
  title: 'Get a channel',
  summary: 'Read one channel by its id, or by any spelling of its URL.',
  cost: { fixed: 2 },
  query: Type.Object({ id: Type.String({ minLength: 1 }), type: idType, viewer_fid: viewerFid }),
  parameters: {
    id: { description: 'Id of the channel, or any spelling of its URL.', example: 'dev' },
    type: { description: 'Whether channels are named by their `id` or by a URL (`parent_url`).', example: 'id' },
  },
  response: ChannelResponse,
  errors: [404],
  read: async ({ query }, read) => {
    const { id: name, type, viewer_fid: viewer } = query;
    const [channel] = await findChannels(read, [name], type);
    if (channel === undefined) throw unknownChannel('id', name, type);
    const { id } = channel.row;
    return viewChannelResponse(id, await hydrateChannels(read, [id], { viewer }));
  },
});
