import { readQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText, valuesOf } from '../table.js';
import type { Tables } from '../tables.js';

/** An address that is told what happened; `filters` are `WebhookSubscriptionFilters` of the contract. */
export type Webhook = Camel<Tables['webhook']>;

const COLUMNS = [
  'id',
  'app_id',
  'title',
  'target_url',
  'filters',
  'pattern_size',
  'subscription_id',
  'dialect',
  'active',
  'inactive_reason',
  'after_log_id',
  'failing_since',
  'version',
  'created_at',
  'updated_at',
  'subscription_updated_at',
  'deleted_at',
] as const;

export const insertWebhook = writeQuery('insert_webhook', insertText('webhook', COLUMNS)).done((webhook: Webhook) =>
  valuesOf(COLUMNS, { ...webhook, filters: JSON.stringify(webhook.filters) }),
);

/** What the webhooks of an app are together, without the one that is about to be replaced. */
export interface WebhookUse {
  readonly count: number;
  /** Instructions of its regular expressions, and of those of all apps. */
  readonly patternSize: number;
  readonly allPatternSize: number;
}

/** Locks the app until the transaction ends. @returns what it has; undefined if there is no such app */
export const lockAppWebhooks = writeQuery<WebhookUse>(
  'lock_app_webhooks',
  `select (select count(*)::integer from webhook w where w.app_id = a.id and w.deleted_at is null
              and w.id is distinct from $2) as count,
          (select coalesce(sum(pattern_size), 0)::integer from webhook w where w.app_id = a.id and w.deleted_at is null
              and w.id is distinct from $2) as "patternSize",
          (select coalesce(sum(pattern_size), 0)::integer from webhook w where w.pattern_size > 0
              and w.deleted_at is null and w.id is distinct from $2) as "allPatternSize"
     from app a where a.id = $1 for update`,
).first((appId: string, exceptId?: string) => [appId, exceptId ?? null]);

/** @returns a webhook of the app; undefined if there is none, or it was deleted */
export const selectWebhook = readQuery<Webhook>(
  'webhook_by_id',
  `select ${columnList(COLUMNS)} from webhook where id = $1 and app_id = $2 and deleted_at is null`,
).first((appId: string, id: string) => [id, appId]);

/** @returns all webhooks of an app, newest first */
export const selectWebhooks = readQuery<Webhook>(
  'webhooks_of_app',
  `select ${columnList(COLUMNS)} from webhook where app_id = $1 and deleted_at is null order by created_at desc, id`,
).rows((appId: string) => [appId]);

/** What a caller may change; members that are undefined stay. */
export interface WebhookChange {
  readonly title?: string;
  readonly targetUrl?: string;
  readonly filters?: object;
  /** Set with `filters`. */
  readonly patternSize?: number;
  readonly active?: boolean;
  /** Set with `active`: it is told what is in the log after this event. */
  readonly afterLogId?: number;
  readonly now: Date;
}

/** @returns the changed webhook; undefined if the app has none with this id */
export const updateWebhook = writeQuery<Webhook>(
  'update_webhook',
  `update webhook
      set title = coalesce($3, title), target_url = coalesce($4, target_url), filters = coalesce($5::jsonb, filters),
          pattern_size = coalesce($9, pattern_size),
          active = coalesce($6, active), after_log_id = coalesce($7, after_log_id), version = version + 1,
          inactive_reason = case when $6 is null then inactive_reason end,
          failing_since = case when $6 is null and coalesce($4, target_url) = target_url then failing_since end,
          updated_at = $8, subscription_updated_at = case when $5::jsonb is null then subscription_updated_at else $8 end
    where id = $1 and app_id = $2 and deleted_at is null
    returning ${columnList(COLUMNS)}`,
).first(
  (appId: string, id: string, { title, targetUrl, filters, patternSize, active, afterLogId, now }: WebhookChange) => [
    id,
    appId,
    title ?? null,
    targetUrl ?? null,
    filters === undefined ? null : JSON.stringify(filters),
    active ?? null,
    afterLogId ?? null,
    now,
    patternSize ?? null,
  ],
);

/** Marks a webhook as deleted. @returns it; undefined if the app has none with this id */
export const deleteWebhook = writeQuery<Webhook>(
  'delete_webhook',
  `update webhook set deleted_at = $3, updated_at = $3, active = false, version = version + 1
    where id = $1 and app_id = $2 and deleted_at is null
    returning ${columnList(COLUMNS)}`,
).first((appId: string, id: string, now: Date) => [id, appId, now]);

/** @returns the active webhooks of all apps, each with a number that every change of it raises */
export const selectWebhookVersions = readQuery<{ id: string; version: number }>(
  'webhook_versions',
  'select id, version from webhook where active and deleted_at is null',
).rows(() => []);

/** @returns webhooks of any app */
export const selectWebhooksById = readQuery<Webhook>(
  'webhooks_by_id',
  `select ${columnList(COLUMNS)} from webhook where id = any($1::uuid[])`,
).rows((ids: readonly string[]) => [ids]);

/** @returns the active webhooks of all apps that are subscribed to trades */
export const selectTradeWebhooks = readQuery<Webhook>(
  'webhooks_of_trades',
  `select ${columnList(COLUMNS)} from webhook where active and deleted_at is null and filters ? 'trade.created'`,
).rows(() => []);

/** A webhook and the address that was called. If it has another one by now, the outcome says nothing about that. */
export type CalledWebhook = Pick<Webhook, 'id' | 'targetUrl'>;

/** Notes that an attempt succeeded. */
export const updateWebhookSucceeded = writeQuery(
  'update_webhook_succeeded',
  'update webhook set failing_since = null where id = $1 and target_url = $2 and failing_since is not null',
).done(({ id, targetUrl }: CalledWebhook) => [id, targetUrl]);

/** Notes that an attempt failed. @returns since when all have failed; undefined if nothing calls the address now */
export const updateWebhookFailed = writeQuery<{ failingSince: Date }>(
  'update_webhook_failed',
  `update webhook set failing_since = coalesce(failing_since, $3) where id = $1 and target_url = $2
    returning failing_since as "failingSince"`,
).value('failingSince', ({ id, targetUrl }: CalledWebhook, now: Date) => [id, targetUrl, now]);

/** Switches a webhook off, because of its receiver. @returns whether it was on */
export const switchWebhookOff = writeQuery(
  'switch_webhook_off',
  `update webhook set active = false, inactive_reason = $3, updated_at = $4, version = version + 1
    where id = $1 and target_url = $2 and active returning id`,
).hasRows(({ id, targetUrl }: CalledWebhook, reason: string, now: Date) => [id, targetUrl, reason, now]);
