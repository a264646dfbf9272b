import { readQuery } from '../query-function.js';
import { type Camel, columnList } from '../table.js';
import type { Tables } from '../tables.js';

/** An attempt to deliver an event. */
export type WebhookAttempt = Omit<Camel<Tables['webhook_attempt']>, 'webhookId'>;

const COLUMNS = ['id', 'delivery_id', 'log_id', 'part', 'type', 'number', 'at', 'latency_ms', 'status', 'failure'];

/**
 * @param before id of the last attempt of the page before; undefined: the first page
 * @returns attempts for a webhook, newest first
 */
export const selectWebhookAttempts = readQuery(
  'webhook_attempts',
  `select ${columnList(COLUMNS)} from webhook_attempt
    where webhook_id = :webhookId and id < coalesce(:before?::bigint, 9223372036854775807) order by id desc limit :limit`,
).rows((webhookId: string, before: number | undefined, limit: number) => ({
  webhookId,
  before: before ?? null,
  limit,
}));
