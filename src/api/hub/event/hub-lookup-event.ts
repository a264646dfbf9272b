import Type from 'typebox';
import { notFound } from '../../../error.js';
import { eventIdOf, logIdFrom } from '../../../protocol/event/place.js';
import { HubEvent } from '../../../schema/hub/event.js';
import { selectHubEvent } from '../../../store/hub/event.js';
import { operation } from '../../http/operation.js';
import { renderedJson } from '../rendered-json.js';
import { hubEventJson } from './hub-event.js';

export const hubLookupEvent = operation({
  id: 'hub-lookup-event',
  path: '/v1/eventById',
  tags: ['Hub Events'],
  title: 'Get a hub event',
  summary: 'Read one hub event.',
  cost: { fixed: 2 },
  query: Type.Object({ event_id: Type.Integer() }),
  parameters: { event_id: { description: 'Id of the event, as `/v1/events` names it.', example: 16_384 } },
  response: HubEvent,
  errors: [400, 404],
  handle: async ({ query }, { db }) => {
    const logId = logIdFrom(query.event_id);
    const row = eventIdOf(logId) === query.event_id ? await selectHubEvent(db, logId) : undefined;
    if (row === undefined) throw notFound(`The log has no event ${query.event_id}.`, 'event_id');
    return renderedJson(hubEventJson(row));
  },
});
