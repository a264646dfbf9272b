import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateChannels } from '../../hydrate/page.js';
import { TrendingChannelResponse } from '../../schema/social/channel.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectActivity, selectLatestActivity } from '../../store/channel/activity.js';
import { viewTrendingChannels } from '../../view/channel/channel-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';

const list = {
  operationId: 'fetch-trending-channels',
  // All pages are of the same count, so that no channel is on two of them.
  sortKey: Type.Object({ counted: Type.Integer(), casts: Type.Integer(), id: Type.String() }),
};

export const fetchTrendingChannels = operation({
  id: list.operationId,
  path: '/v2/social/channel/trending/',
  tags: ['Channel'],
  summary: 'List channels by the number of casts in a period, as it was counted last.',
  query: Type.Object({
    time_window: Type.Optional(stringEnum(['1d', '7d', '30d'], { description: 'The period; 1d when absent.' })),
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 25, default: 10 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: TrendingChannelResponse,
  errors: [400, 500],
  read: async ({ query }, read, { cursorKey }) => {
    const { time_window: window = '1d' } = query;
    const { rows, cursor } = await read.list([list.operationId, window, query.limit, query.cursor], async (inner) => {
      const { after, limit, cut } = openPage(cursorKey, list, { window }, query, inner.now);
      const counted = after?.counted ?? (await selectLatestActivity(inner)) ?? 0;
      const found = await selectActivity(inner, window, counted, after, limit);
      if (after !== undefined && found.length === 0) {
        throw invalidField('cursor', 'cursor is too old: channels were counted again since; begin with the first page');
      }
      return cut(found, (row) => ({ counted, casts: row[`cast_count_${window}`], id: row.id }));
    });
    const ids = rows.map(({ id }) => id);
    return viewTrendingChannels(rows, await hydrateChannels(read, ids), cursor);
  },
});
