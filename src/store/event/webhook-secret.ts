import { WEBHOOK_SEAL } from '../access/sealed-column.js';
import { readQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText } from '../table.js';
import type { Tables } from '../tables.js';

/** A secret that deliveries are signed with; `sealedValue` is sealed for `WEBHOOK_SEAL`, bound to the id. */
export type WebhookSecret = Camel<Tables['webhook_secret']>;

const COLUMNS = ['id', 'webhook_id', 'sealed_value', 'created_at', 'expires_at'] as const;

export const insertWebhookSecret = writeQuery('insert_webhook_secret', insertText(WEBHOOK_SEAL.table, COLUMNS)).done();

/** @returns the secrets of webhooks that have not expired, the oldest of each first */
export const selectWebhookSecrets = readQuery(
  'webhook_secrets',
  `select ${columnList(COLUMNS)} from webhook_secret
    where webhook_id = any(:webhookIds::uuid[]) and coalesce(expires_at > :now, true) order by webhook_id, created_at`,
).rows((webhookIds: readonly string[], now: Date) => ({ webhookIds, now }));

/** Lets the current secrets of a webhook end at a time, unless they end before. */
export const expireWebhookSecrets = writeQuery(
  'expire_webhook_secrets',
  'update webhook_secret set expires_at = :at where webhook_id = :webhookId and coalesce(expires_at > :at, true)',
).done((webhookId: string, at: Date) => ({ webhookId, at }));
