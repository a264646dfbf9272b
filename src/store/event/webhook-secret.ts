import { type Session, sql, statement } from '../../db/statement.js';
import { WEBHOOK_SEAL } from '../access/sealed-column.js';
import { type Camel, columnList, insertText, valuesOf } from '../table.js';
import type { Tables } from '../tables.js';

/** A secret that deliveries are signed with; `sealedValue` is sealed for `WEBHOOK_SEAL`, bound to the id. */
export type WebhookSecret = Camel<Tables['webhook_secret']>;

const COLUMNS = ['id', 'webhook_id', 'sealed_value', 'created_at', 'expires_at'] as const;

const insertWebhookSecretSql = sql('insert_webhook_secret', insertText(WEBHOOK_SEAL.table, COLUMNS));

export const insertWebhookSecret = async (session: Session, secret: WebhookSecret): Promise<void> => {
  await session.run(insertWebhookSecretSql, valuesOf(COLUMNS, secret));
};

const selectWebhookSecretsSql = statement<WebhookSecret>(
  'webhook_secrets',
  `select ${columnList(COLUMNS)} from webhook_secret
    where webhook_id = any($1::uuid[]) and coalesce(expires_at > $2, true) order by webhook_id, created_at`,
);

/** @returns the secrets of webhooks that have not expired, the oldest of each first */
export const selectWebhookSecrets = (
  session: Session,
  webhookIds: readonly string[],
  now: Date,
): Promise<WebhookSecret[]> => session.read(selectWebhookSecretsSql, [webhookIds, now]);

const expireWebhookSecretsSql = sql(
  'expire_webhook_secrets',
  'update webhook_secret set expires_at = $2 where webhook_id = $1 and coalesce(expires_at > $2, true)',
);

/** Lets the current secrets of a webhook end at a time, unless they end before. */
export const expireWebhookSecrets = async (session: Session, webhookId: string, at: Date): Promise<void> => {
  await session.run(expireWebhookSecretsSql, [webhookId, at]);
};
