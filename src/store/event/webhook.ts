import { type RowOf, readQuery, writeQuery } from '../query-function.js';
import { columnList, insertText } from '../table.js';

/** An address to which events are sent; `filters` are `WebhookSubscriptionFilters` of the contract. */
export type Webhook = RowOf<'webhook_by_id'>;

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

export const insertWebhook = writeQuery('insert_webhook', insertText('webhook', COLUMNS)).done((webhook: Webhook) => ({
  ...webhook,
  filters: JSON.stringify(webhook.filters),
}));

/**
 * Locks the app until the transaction ends.
 * @param exceptId a webhook that is about to be replaced
 * @returns what the webhooks of the app are together, with the instructions of their regular expressions, and of those
 *   of all apps; undefined if there is no such app
 */
export const lockAppWebhooks = writeQuery(
  'lock_app_webhooks',
  `select (select count(*)::integer from webhook w where w.app_id = a.id and w.deleted_at is null
              and w.id is distinct from :exceptId?) as "count!",
          (select coalesce(sum(pattern_size), 0)::integer from webhook w where w.app_id = a.id and w.deleted_at is null
              and w.id is distinct from :exceptId?) as "patternSize!",
          (select coalesce(sum(pattern_size), 0)::integer from webhook w where w.pattern_size > 0
              and w.deleted_at is null and w.id is distinct from :exceptId?) as "allPatternSize!"
     from app a where a.id = :appId for update`,
).first((appId: string, exceptId?: string) => ({ appId, exceptId: exceptId ?? null }));

/** @returns a webhook of the app; undefined if there is none, or it was deleted */
export const selectWebhook = readQuery(
  'webhook_by_id',
  `select ${columnList(COLUMNS)} from webhook where id = :id and app_id = :appId and deleted_at is null`,
).first((appId: string, id: string) => ({ id, appId }));

/** @returns all webhooks of an app, newest first */
export const selectWebhooks = readQuery(
  'webhooks_of_app',
  `select ${columnList(COLUMNS)} from webhook where app_id = :appId and deleted_at is null order by created_at desc, id`,
).rows((appId: string) => ({ appId }));

/** What a caller may change; members that are undefined stay. */
export interface WebhookChange {
  readonly title?: string;
  readonly targetUrl?: string;
  readonly filters?: object;
  /** Set with `filters`. */
  readonly patternSize?: number;
  readonly active?: boolean;
  /** Set with `active`: it gets the events of the log after this one. */
  readonly afterLogId?: number;
  readonly now: Date;
}

/** @returns the changed webhook; undefined if the app has none with this id */
export const updateWebhook = writeQuery(
  'update_webhook',
  `update webhook
      set title = coalesce(:title?, title), target_url = coalesce(:targetUrl?, target_url), filters = coalesce(:filters?::jsonb, filters),
          pattern_size = coalesce(:patternSize?, pattern_size),
          active = coalesce(:active?, active), after_log_id = coalesce(:afterLogId?, after_log_id), version = version + 1,
          inactive_reason = case when :active? is null then inactive_reason end,
          failing_since = case when :active? is null and coalesce(:targetUrl?, target_url) = target_url then failing_since end,
          updated_at = :now, subscription_updated_at = case when :filters?::jsonb is null then subscription_updated_at else :now end
    where id = :id and app_id = :appId and deleted_at is null
    returning ${columnList(COLUMNS)}`,
).first(
  (appId: string, id: string, { title, targetUrl, filters, patternSize, active, afterLogId, now }: WebhookChange) => ({
    id,
    appId,
    title: title ?? null,
    targetUrl: targetUrl ?? null,
    filters: filters === undefined ? null : JSON.stringify(filters),
    active: active ?? null,
    afterLogId: afterLogId ?? null,
    now,
    patternSize: patternSize ?? null,
  }),
);

/** Marks a webhook as deleted. @returns it; undefined if the app has none with this id */
export const deleteWebhook = writeQuery(
  'delete_webhook',
  `update webhook set deleted_at = :now, updated_at = :now, active = false, version = version + 1
    where id = :id and app_id = :appId and deleted_at is null
    returning ${columnList(COLUMNS)}`,
).first((appId: string, id: string, now: Date) => ({ id, appId, now }));

/** @returns the active webhooks of all apps, each with a number that every change of it raises */
export const selectWebhookVersions = readQuery(
  'webhook_versions',
  'select id, version from webhook where active and deleted_at is null',
).rows();

/** @returns webhooks of any app */
export const selectWebhooksById = readQuery(
  'webhooks_by_id',
  `select ${columnList(COLUMNS)} from webhook where id = any(:ids::uuid[])`,
).rows((ids: readonly string[]) => ({ ids }));

/** A webhook and the address that was called. If it has another one by now, the outcome says nothing about that. */
export type CalledWebhook = Pick<Webhook, 'id' | 'targetUrl'>;

/** Notes that an attempt succeeded. */
export const updateWebhookSucceeded = writeQuery(
  'update_webhook_succeeded',
  'update webhook set failing_since = null where id = :id and target_url = :targetUrl and failing_since is not null',
).done(({ id, targetUrl }: CalledWebhook) => ({ id, targetUrl }));

/** Notes that an attempt failed. @returns since when all have failed; undefined if nothing calls the address now */
export const updateWebhookFailed = writeQuery(
  'update_webhook_failed',
  `update webhook set failing_since = coalesce(failing_since, :now) where id = :id and target_url = :targetUrl
    returning failing_since as "failingSince!"`,
).value('failingSince', ({ id, targetUrl }: CalledWebhook, now: Date) => ({ id, targetUrl, now }));

/** Switches a webhook off, because of its receiver. @returns whether it was on */
export const switchWebhookOff = writeQuery(
  'switch_webhook_off',
  `update webhook set active = false, inactive_reason = :reason, updated_at = :now, version = version + 1
    where id = :id and target_url = :targetUrl and active returning id`,
).hasRows(({ id, targetUrl }: CalledWebhook, reason: string, now: Date) => ({ id, targetUrl, reason, now }));
