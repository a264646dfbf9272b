import Type from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';

/** Own extension: what a development service received in place of a receiver of webhooks. */
export const WebhookInboxRequest = namedObject('WebhookInboxRequest', {
  received_at: Type.String({ format: 'date-time' }),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String({ description: 'As it came; at most 65,536 characters of it.' }),
  webhook_id: nullable(
    Type.String({ description: 'The webhook whose secret made the signature; null: the signature does not check.' }),
  ),
  webhook_title: nullable(Type.String()),
});

export const WebhookInboxResponse = namedObject('WebhookInboxResponse', {
  url: nullable(Type.String({ description: 'For `url` of a webhook; null: only `castellan dev` receives.' })),
  requests: Type.Array(WebhookInboxRequest, { description: 'The newest 100, the newest first.' }),
});
