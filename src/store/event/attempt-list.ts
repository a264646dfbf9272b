import { type RowOf, readQuery } from '../query-function.js';

/** An attempt to deliver an event. */
export type WebhookAttempt = RowOf<'webhook_attempts'>;

/**
 * @param before id of the last attempt of the page before; undefined: the first page
 * @returns attempts for a webhook, newest first
 */
export const selectWebhookAttempts = readQuery(
  'webhook_attempts',
  `select id, delivery_id as "deliveryId", log_id as "logId", part, type, number, at, latency_ms as "latencyMs", status,
          failure from webhook_attempt
    where webhook_id = :webhookId and id < coalesce(:before?::bigint, 9223372036854775807) order by id desc limit :limit`,
).rows((webhookId: string, before: number | undefined, limit: number) => ({
  webhookId,
  before: before ?? null,
  limit,
}));
