import Type from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';

const count = Type.Integer({ minimum: 0 });
const time = Type.String({ format: 'date-time' });

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
      waiting: count,
      oldest_at: nullable(time),
      dead: Type.Integer({ minimum: 0, description: 'Given up; a replay sends them again.' }),
    }),
    { description: 'Newest first.' },
  ),
});
