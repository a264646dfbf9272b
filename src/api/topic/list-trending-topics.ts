import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { TrendingTopicsResponse } from '../../schema/topic/topic.js';
import { selectLatestTopicRun, selectTopics } from '../../store/topic/topic.js';
import { viewTrendingTopics } from '../../view/topic.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';

const list = {
  operationId: 'list-trending-topics',
  // All pages are of the same run, so that no topic is on two of them.
  sortKey: Type.Object({ counted: Type.Integer(), place: Type.Integer() }),
};

export const listTrendingTopics = operation({
  id: list.operationId,
  path: '/v2/social/topic/trending/',
  tags: ['Topic'],
  summary: 'List what more accounts write about than in the week before, as it was counted last.',
  query: Type.Object({
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 25, default: 10 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: TrendingTopicsResponse,
  errors: [400, 500],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { appId } = caller;
    const { rows, cursor } = await read.list([list.operationId, appId, query.limit, query.cursor], async (inner) => {
      const { after, limit, cut } = openPage(cursorKey, list, { appId }, query, inner.now);
      const counted = after?.counted ?? (await selectLatestTopicRun(inner)) ?? 0;
      const found = await selectTopics(inner, appId, counted, after?.place ?? 0, limit);
      if (after !== undefined && found.length === 0) {
        throw invalidField('cursor', 'cursor is too old: its topics are no longer stored; begin with the first page');
      }
      return cut(found, ({ place }) => ({ counted, place }));
    });
    const dehydrated = rows.flatMap(({ authors }) => authors);
    return viewTrendingTopics(rows, await hydrateUsers(read, [], { dehydrated }), cursor);
  },
});
