import Type from 'typebox';
import { EVENT_TYPES } from '../../protocol/event/social-event.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';
import { WebhookSubscriptionFilters } from './webhook.js';

/** Own extension: what filters of a webhook would have matched. */
export const WebhookPreviewReqBody = namedObject('WebhookPreviewReqBody', {
  subscription: WebhookSubscriptionFilters,
});

export const WebhookPreviewResponse = namedObject('WebhookPreviewResponse', {
  compared: Type.Integer({ minimum: 0, description: 'Newest events of the types of the subscription; at most 200.' }),
  matches: Type.Integer({ minimum: 0 }),
  events: Type.Array(
    Type.Object({
      event_id: Type.String(),
      type: stringEnum([...EVENT_TYPES]),
      at: Type.String({ format: 'date-time' }),
      fid: Type.Integer({ description: 'Who did it.' }),
      cast_hash: nullable(Type.String({ description: 'The cast of an event about a cast.' })),
      text: nullable(Type.String({ description: 'Text of that cast, without its mentions.' })),
    }),
    { description: 'The newest 5 that match, the newest first.' },
  ),
});
