import Type from 'typebox';
import { HubEventsResponse } from '../../../schema/hub/event.js';
import { selectHubEvents } from '../../../store/hub/event.js';
import { operation } from '../../http/operation.js';
import { renderedJson } from '../rendered-json.js';
import { hubEventJson } from './hub-event.js';

const PAGE_SIZE = 1_000;

export const hubFetchEvents = operation({
  id: 'hub-fetch-events',
  path: '/v1/events',
  tags: ['Hub Events'],
  summary: 'List hub events.',
  query: Type.Object({
    from_event_id: Type.Optional(
      Type.Integer({
        default: 0,
        description:
          'Start here; 0 means the first event; equals nextPageEventId of the previous page. ' +
          'At the end of the log the answer is empty and names the id to ask for later.',
      }),
    ),
  }),
  response: HubEventsResponse,
  handle: async ({ query }, { db }) => {
    const from = query.from_event_id ?? 0;
    const rows = await selectHubEvents(db, from, PAGE_SIZE);
    const last = rows.at(-1);
    return renderedJson({ nextPageEventId: last === undefined ? from : last.id + 1, events: rows.map(hubEventJson) });
  },
});
