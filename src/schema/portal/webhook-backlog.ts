import Type from 'typebox';
import { deadDeliveries, waitingDeliveries } from '../delivery-count.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';

/** Own extension: what webhooks have not delivered. */
export const WebhookBacklogResponse = namedObject('WebhookBacklogResponse', {
  webhooks: Type.Array(
    Type.Object({
      webhook_id: Type.String(),
      title: Type.String(),
      active: Type.Boolean(),
      inactive_reason: nullable(Type.String({ description: 'Why the service switched it off; null: it did not.' })),
      failing_since: nullable(
        Type.String({ format: 'date-time', description: 'null: its receiver takes what is sent.' }),
      ),
      waiting: waitingDeliveries,
      oldest_at: nullable(Type.String({ format: 'date-time', description: 'Of those that were counted.' })),
      dead: deadDeliveries,
    }),
    { description: 'Newest first.' },
  ),
});
