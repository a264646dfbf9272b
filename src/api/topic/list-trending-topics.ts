import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { TrendingTopicsResponse } from '../../schema/topic/topic.js';
import { selectLatestTopicRun, selectTopics } from '../../store/topic/topic.js';
import { viewTrendingTopics } from '../../view/topic.js';
import { listOperation } from '../page/list-operation.js';

export const listTrendingTopics = listOperation({
  id: 'list-trending-topics',
  path: '/v2/social/topic/trending/',
  tags: ['Topic'],
  title: 'List trending topics',
  summary: 'List what more accounts write about than in the week before, as it was counted last.',
  cost: { each: 2, of: 'limit' },
  query: {},
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 25, default: 10 }),
  response: TrendingTopicsResponse,
  errors: [400, 500],
  // All pages are of the same run, so that no topic is on two of them.
  sortKey: Type.Object({ counted: Type.Integer(), place: Type.Integer() }),
  filters: ({ caller }) => ({ appId: caller.appId }),
  select: async (read, { appId }, { after, limit }) => {
    const counted = after?.counted ?? (await selectLatestTopicRun(read)) ?? 0;
    const found = await selectTopics(read, appId, counted, after?.place ?? 0, limit);
    if (after !== undefined && found.length === 0) {
      throw invalidField('cursor', 'cursor is too old: its topics are no longer stored; begin with the first page');
    }
    return found.map((row) => ({ ...row, counted }));
  },
  keyOf: ({ counted, place }) => ({ counted, place }),
  view: async (rows, cursor, _, read) => {
    const dehydrated = rows.flatMap(({ authors }) => authors);
    return viewTrendingTopics(rows, await hydrateUsers(read, [], { dehydrated }), cursor);
  },
});
