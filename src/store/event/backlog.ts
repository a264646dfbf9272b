import { readQuery, selectQuery } from '../query-function.js';
import type { Webhook } from './webhook.js';

/** A webhook and the number of its events that were not delivered. */
export interface WebhookBacklog
  extends Pick<Webhook, 'id' | 'appId' | 'title' | 'targetUrl' | 'active' | 'inactiveReason' | 'failingSince'> {
  readonly waiting: number;
  /** When the oldest of them was written; null: none waits. */
  readonly oldestAt: Date | null;
  /** Given up after a day of attempts, or when the webhook was switched off. */
  readonly dead: number;
}

/** Deliveries of a webhook that a page counts: one more means that there are more. */
export const COUNTED_DELIVERIES = 10_000;

const deliveriesOf = (state: 'pending' | 'dead'): string =>
  `select d.created_at from webhook_delivery d where d.webhook_id = w.id and d.state = '${state}'`;

/**
 * @param appId undefined: those of all apps
 * @param most deliveries of each webhook that are counted, and among which the oldest is looked for; undefined: all
 */
export const selectWebhookBacklogs = selectQuery(
  'select_webhook_backlogs',
  `select w.id, w.app_id as "appId", w.title, w.target_url as "targetUrl", w.active,
          w.inactive_reason as "inactiveReason", w.failing_since as "failingSince",
          p.count as "waiting!", p.oldest as "oldestAt",
          (select count(*)::integer from (${deliveriesOf('dead')} limit :most?::integer) d) as "dead!"
     from webhook w
     cross join lateral (select count(*)::integer as count, min(d.created_at) as oldest
                           from (${deliveriesOf('pending')} order by d.next_at limit :most?::integer) d) p
    where w.deleted_at is null and (:appId?::uuid is null or w.app_id = :appId?)
    order by w.created_at desc, w.id`,
).rows((appId: string | undefined, most?: number) => ({ appId: appId ?? null, most: most ?? null }));

/**
 * @param page `afterId` is the last webhook of the page before
 * @returns webhooks of all organizations that someone has to look at, oldest first: their receivers fail, the service
 *   switched them off, or events were given up
 */
export const selectFailingWebhooks = selectQuery(
  'select_failing_webhooks',
  `select w.id, w.title, w.target_url as "targetUrl", w.active, w.inactive_reason as "inactiveReason",
          w.failing_since as "failingSince", a.id as "appId", a.name as "appName",
          o.id as "organizationId", o.name as "organizationName",
          (select count(*)::integer from (${deliveriesOf('dead')} limit :most) d) as "dead!",
          (select count(*)::integer from (${deliveriesOf('pending')} limit :most) d) as "waiting!"
     from webhook w
     join app a on a.id = w.app_id
     join organization o on o.id = a.organization_id
    where w.deleted_at is null
      and (w.failing_since is not null or w.inactive_reason is not null
           or exists (select from webhook_delivery d where d.webhook_id = w.id and d.state = 'dead'))
      and (:afterId?::uuid is null
           or (w.created_at, w.id) > (select b.created_at, b.id from webhook b where b.id = :afterId?))
    order by w.created_at, w.id
    limit :limit`,
).rows(({ limit, afterId }: { readonly limit: number; readonly afterId: string | undefined }) => ({
  limit,
  afterId: afterId ?? null,
  most: COUNTED_DELIVERIES + 1,
}));

/** What is still to be sent to all active webhooks. */
export interface EventBacklog {
  /** Ids of the log that were not handed to webhooks yet: an upper bound of the rows, because ids have gaps. */
  readonly logIds: number;
  /** Pending deliveries. */
  readonly waiting: number;
  /** When the first of them will be given up; null: none waits. */
  readonly firstExpiresAt: Date | null;
}

// Reads the pending deliveries only, by their partial index.
export const selectEventBacklog = readQuery(
  'event_backlog',
  `select greatest(coalesce((select max(id) from hub_event), 0) - c.log_id, 0) as "logIds!",
          p.count as "waiting!", p.expires_at as "firstExpiresAt"
     from webhook_cursor c
     cross join (select count(*)::integer as count, min(d.expires_at) as expires_at
                   from webhook w join webhook_delivery d on d.webhook_id = w.id and d.state = 'pending'
                  where w.active) p`,
).one();

/** @returns the time of the oldest row of the log that was not handed to webhooks yet; undefined if there is none */
export const selectUndispatchedSince = selectQuery(
  'select_undispatched_since',
  'select at from hub_event where id > (select log_id from webhook_cursor) order by id limit 1',
).value('at');
