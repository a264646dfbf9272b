import Type from 'typebox';
import { deadDeliveries, waitingDeliveries } from '../delivery-count.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { nextPage } from '../page.js';
import { uuid } from './uuid.js';

const text = Type.String();

export const FailingWebhooksResponse = namedObject('FailingWebhooksResponse', {
  webhooks: Type.Array(
    Type.Object({
      webhook_id: text,
      title: text,
      host: Type.String({ description: 'Host of its receiver.' }),
      organization: Type.Object({ uuid, name: text }),
      app: Type.Object({ uuid, name: text }),
      active: Type.Boolean(),
      inactive_reason: nullable(Type.String({ description: 'Why the service switched it off; null: it did not.' })),
      failing_since: nullable(
        Type.String({ format: 'date-time', description: 'null: its receiver takes what is sent.' }),
      ),
      waiting: waitingDeliveries,
      dead: deadDeliveries,
    }),
    { description: 'Oldest first.' },
  ),
  next: nextPage,
});
