import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateChannels } from '../../hydrate/page.js';
import { ChannelSearchResponse } from '../../schema/social/channel.js';
import { searchChannels as searchStoredChannels } from '../../store/channel/list.js';
import { viewChannelList } from '../../view/channel/channel-page.js';
import { viewerFid } from '../http/parameter.js';
import { listOperation } from '../page/list-operation.js';

/** Longer than any name. */
const MAX_LENGTH = 256;

const readText = (q: string): string => {
  const text = q.normalize('NFKC').trim().replace(/^\//, '').toLowerCase();
  if (text === '' || text.length > MAX_LENGTH) {
    throw invalidField('q', `q must hold 1 to ${MAX_LENGTH} characters of an id or a name`);
  }
  return text;
};

export const searchChannels = listOperation({
  id: 'search-channels',
  path: '/v2/social/channel/search/',
  tags: ['Channel'],
  title: 'Search channels',
  summary: 'Search channels by parts of their ids and names: the id itself first, then beginnings, then other parts.',
  cost: { each: 4, of: 'limit' },
  query: { q: Type.String(), viewer_fid: viewerFid },
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
  parameters: {
    q: {
      description:
        'A part of an id or a name. One or two letters find beginnings of words alone. A leading / is left out.',
      example: 'foo',
    },
  },
  response: ChannelSearchResponse,
  errors: [],
  sortKey: Type.Object({ id: Type.String(), tier: Type.Integer(), followers: Type.Integer() }),
  filters: ({ query }) => ({ text: readText(query.q), viewer: query.viewer_fid }),
  isUncached: true,
  select: (read, { text }, { after, limit }) => searchStoredChannels(read, text, after, limit),
  keyOf: (row) => row,
  view: async (rows, cursor, { query: { viewer_fid: viewer } }, read) => {
    const ids = rows.map(({ id }) => id);
    return viewChannelList(ids, await hydrateChannels(read, ids, { viewer }), cursor);
  },
});
