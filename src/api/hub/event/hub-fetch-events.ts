import Type from 'typebox';
import { eventIdOf, logIdFrom } from '../../../protocol/event/place.js';
import { HubEventsResponse } from '../../../schema/hub/event.js';
import { selectHubEvents, selectHubEventsReverse } from '../../../store/hub/event.js';
import { operation } from '../../http/operation.js';
import { pageQuery, pageSizeOf } from '../page-query.js';
import { requireShard } from '../parameter.js';
import { renderedJson } from '../rendered-json.js';
import { hubEventJson } from './hub-event.js';

export const hubFetchEvents = operation({
  id: 'hub-fetch-events',
  path: '/v1/events',
  tags: ['Hub Events'],
  title: 'List hub events',
  summary: 'List hub events.',
  cost: { fixed: 200 },
  query: Type.Object({
    from_event_id: Type.Optional(
      Type.Integer({
        default: 0,
        description:
          'Start here; 0 means the first event; equals nextPageEventId of the previous page. ' +
          'At the end of the log the answer is empty and names the id to ask for later.',
      }),
    ),
    stop_id: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events before this id.' })),
    shard_index: Type.Optional(Type.Integer({ description: 'This service has one shard: 1.' })),
    pageSize: pageQuery.pageSize,
    reverse: pageQuery.reverse,
  }),
  response: HubEventsResponse,
  handle: async ({ query }, { db }) => {
    const from = query.from_event_id ?? 0;
    requireShard(query.shard_index, 'shard_index');
    const before = query.stop_id === undefined ? Number.MAX_SAFE_INTEGER : logIdFrom(query.stop_id);
    const range = { from: logIdFrom(from), before, limit: pageSizeOf(query) };
    const rows = query.reverse ? await selectHubEventsReverse(db, range) : await selectHubEvents(db, range);
    const last = rows.at(-1);
    const lastId = last && eventIdOf(last.id);
    const next = lastId === undefined ? from : lastId + 1;
    // Pages of newest events go on with `stop_id`.
    return renderedJson({ nextPageEventId: query.reverse ? (lastId ?? from) : next, events: rows.map(hubEventJson) });
  },
});
