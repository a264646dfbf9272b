import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateChannels } from '../../hydrate/page.js';
import { ChannelSearchResponse } from '../../schema/social/channel.js';
import { searchChannels as searchStoredChannels } from '../../store/channel/list.js';
import { viewChannelList } from '../../view/channel/channel-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';

const list = {
  operationId: 'search-channels',
  sortKey: Type.Object({ id: Type.String(), tier: Type.Integer(), followers: Type.Integer() }),
};

/** Longer than any name. */
const MAX_LENGTH = 256;

const readText = (q: string): string => {
  const text = q.normalize('NFKC').trim().replace(/^\//, '').toLowerCase();
  if (text === '' || text.length > MAX_LENGTH) {
    throw invalidField('q', `q must hold 1 to ${MAX_LENGTH} characters of an id or a name`);
  }
  return text;
};

export const searchChannels = operation({
  id: list.operationId,
  path: '/v2/social/channel/search/',
  tags: ['Channel'],
  summary: 'Search channels by parts of their ids and names: the id itself first, then beginnings, then other parts.',
  query: Type.Object({
    q: Type.String({ description: 'One or two letters find beginnings of words alone. A leading / is left out.' }),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
    cursor: Type.Optional(Type.String()),
    viewer_fid: viewerFid,
  }),
  response: ChannelSearchResponse,
  errors: [],
  read: async ({ query }, read, { cursorKey }) => {
    const { viewer_fid: viewer } = query;
    const text = readText(query.q);
    const { after, limit, cut } = openPage(cursorKey, list, { text, viewer }, query, read.now);
    const { rows, cursor } = cut(await searchStoredChannels(read, text, after, limit), (row) => row);
    const ids = rows.map(({ id }) => id);
    return viewChannelList(ids, await hydrateChannels(read, ids, { viewer }), cursor);
  },
});
