import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateChannels } from '../../hydrate/page.js';
import { TrendingChannelResponse } from '../../schema/social/channel.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectActivity, selectLatestActivity } from '../../store/channel/activity.js';
import { viewTrendingChannels } from '../../view/channel/channel-page.js';
import { listOperation } from '../page/list-operation.js';

export const fetchTrendingChannels = listOperation({
  id: 'fetch-trending-channels',
  path: '/v2/social/channel/trending/',
  tags: ['Channel'],
  title: 'List trending channels',
  summary: 'List channels by the number of casts in a period, as it was counted last.',
  cost: { each: 2, of: 'limit' },
  query: {
    time_window: Type.Optional(stringEnum(['1d', '7d', '30d'], { description: 'The period; 1d when absent.' })),
  },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 25, default: 10 }),
  parameters: { time_window: { example: '7d' } },
  response: TrendingChannelResponse,
  errors: [400, 500],
  // All pages are of the same count, so that no channel is on two of them.
  sortKey: Type.Object({ counted: Type.Integer(), casts: Type.Integer(), id: Type.String() }),
  filters: ({ query: { time_window: window = '1d' } }) => ({ window }),
  select: async (read, { window }, { after, limit }) => {
    const counted = after?.counted ?? (await selectLatestActivity(read)) ?? 0;
    const found = await selectActivity(read, window, counted, after, limit);
    if (after !== undefined && found.length === 0) {
      throw invalidField('cursor', 'cursor is too old: channels were counted again since; begin with the first page');
    }
    return found.map((row) => ({ ...row, counted, casts: row[`castCount${window}`] }));
  },
  keyOf: ({ counted, casts, id }) => ({ counted, casts, id }),
  view: async (rows, cursor, _, read) => {
    const ids = rows.map(({ id }) => id);
    return viewTrendingChannels(rows, await hydrateChannels(read, ids), cursor);
  },
});
