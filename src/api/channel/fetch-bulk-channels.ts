import Type from 'typebox';
import { hydrateChannels } from '../../hydrate/page.js';
import { ChannelResponseBulk } from '../../schema/social/channel.js';
import { viewChannels } from '../../view/channel/channel-page.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { findChannels, idType, unknownChannel } from './channel-query.js';

export const fetchBulkChannels = operation({
  id: 'fetch-bulk-channels',
  path: '/v2/social/channel/bulk/',
  tags: ['Channel'],
  title: 'Get channels by id',
  summary: 'Read several channels, in the order asked for; unknown ones are left out.',
  cost: { each: 2, of: 'ids' },
  query: Type.Object({
    ids: commaSeparated(Type.String({ minLength: 1 }), { maxItems: 100 }),
    type: idType,
    viewer_fid: viewerFid,
  }),
  parameters: {
    ids: { description: 'Ids of the channels, or their URLs, at most 100, separated by commas.', example: 'dev,food' },
    type: { description: 'Whether channels are named by their `id` or by a URL (`parent_url`).', example: 'id' },
  },
  response: ChannelResponseBulk,
  errors: [404],
  read: async ({ query }, read) => {
    const { ids: names, type, viewer_fid: viewer } = query;
    const channels = await findChannels(read, names, type);
    const ids = [...new Set(channels.map(({ row }) => row.id))];
    if (ids.length === 0) throw unknownChannel('ids', names.join(','), type);
    return viewChannels(ids, await hydrateChannels(read, ids, { viewer }));
  },
});
