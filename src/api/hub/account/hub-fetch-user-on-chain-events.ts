import Type from 'typebox';
import { onChainEventTypeNames } from '../../../protocol/hub-json/enum.js';
import { HubOnChainEventsResponse, HubOnChainEventType } from '../../../schema/hub/onchain-event.js';
import { selectOnchainEventsByType } from '../../../store/hub/onchain-event.js';
import { operation } from '../../http/operation.js';
import { enumOf, fidQuery } from '../parameter.js';
import { renderedJson } from '../rendered-json.js';
import { onchainEventJson } from './onchain-event.js';

export const hubFetchUserOnChainEvents = operation({
  id: 'hub-fetch-user-on-chain-events',
  path: '/v1/onChainEventsByFid',
  tags: ['Hub OnChainEvents'],
  title: 'List onchain events of an account',
  summary: 'List onchain events of a FID.',
  cost: { fixed: 200 },
  query: Type.Object({
    fid: fidQuery,
    event_type: Type.Union([HubOnChainEventType, Type.String({ pattern: '^(?:EVENT_TYPE_[A-Z0-9_]+|\\d{1,4})$' })]),
  }),
  parameters: {
    fid: { description: 'The account that the events are about.', example: 1 },
    event_type: { description: 'The kind of event, as a name or a number.', example: 'EVENT_TYPE_ID_REGISTER' },
  },
  response: HubOnChainEventsResponse,
  handle: async ({ query }, { db }) => {
    const type = enumOf(query.event_type, 'event_type', onChainEventTypeNames);
    const events = await selectOnchainEventsByType(db, query.fid, type);
    return renderedJson({ events: events.map(onchainEventJson) });
  },
});
