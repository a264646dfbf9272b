import { type Session, sql } from '../../db/statement.js';
import type { Webhook } from './webhook.js';

/** A webhook with what it has not been told. */
export interface WebhookBacklog
  extends Pick<Webhook, 'id' | 'appId' | 'title' | 'targetUrl' | 'active' | 'inactiveReason' | 'failingSince'> {
  readonly waiting: number;
  /** When the oldest of them was written; null: none waits. */
  readonly oldestAt: Date | null;
  /** Given up after a day of attempts, or when the webhook was switched off. */
  readonly dead: number;
}

const selectWebhookBacklogsSql = sql<WebhookBacklog>(
  'select_webhook_backlogs',
  `select w.id, w.app_id as "appId", w.title, w.target_url as "targetUrl", w.active,
          w.inactive_reason as "inactiveReason", w.failing_since as "failingSince",
          p.count as waiting, p.oldest as "oldestAt",
          (select count(*)::integer from webhook_delivery d where d.webhook_id = w.id and d.state = 'dead') as dead
     from webhook w
     cross join lateral (select count(*)::integer as count, min(d.created_at) as oldest from webhook_delivery d
                          where d.webhook_id = w.id and d.state = 'pending') p
    where w.deleted_at is null and ($1::uuid is null or w.app_id = $1)
    order by w.created_at desc, w.id`,
);

/** @param appId undefined: those of all apps */
export const selectWebhookBacklogs = (session: Session, appId: string | undefined): Promise<WebhookBacklog[]> =>
  session.select(selectWebhookBacklogsSql, [appId ?? null]);
