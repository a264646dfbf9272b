import type { Session } from '../../db/statement.js';
import { type Lease, pickDue } from '../outbox.js';
import { insertRows, selectQuery, writeQuery, writeRows } from '../query-function.js';

/** Where an event is in the log. */
export interface EventKey {
  readonly logId: number;
  readonly part: number;
}

/** Stores events as they are sent. What was rendered before stays, so that a replay sends the same bytes. */
export const insertEventBodies = insertRows(
  'insert_event_bodies',
  'webhook_event',
  { log_id: 'bigint', part: 'integer', dialect: 'text', created_at: 'timestamptz', body: 'text' },
  'on conflict (log_id, part, dialect) do nothing',
).done((bodies: readonly (EventKey & { readonly dialect: string; readonly body: string })[], now: Date) => [
  bodies.map((body) => ({ ...body, createdAt: now })),
]);

export interface NewDelivery extends EventKey {
  readonly id: string;
  readonly webhookId: string;
  readonly type: string;
}

/**
 * Makes events due for webhooks. The body of each event must be stored in the same transaction.
 * @param repeated what becomes of an event that already has a delivery: it is sent again under the same id, or left alone
 * @returns how many are due because of this call
 */
export const upsertDeliveries = writeRows(
  'upsert_deliveries',
  { id: 'text', webhook_id: 'text', log_id: 'bigint', part: 'integer', type: 'text' },
  (rows) => `insert into webhook_delivery
        (id, webhook_id, log_id, part, type, state, next_at, expires_at, created_at)
      select r.id::uuid, r.webhook_id::uuid, r.log_id, r.part, r.type, 'pending', :now, :expiresAt, :now from (${rows}) r
      on conflict (webhook_id, log_id, part) do update
        set state = 'pending', attempts = 0, next_at = excluded.next_at, expires_at = excluded.expires_at,
            ended_at = null
        where :isReplay::boolean
      returning id`,
).count(
  (
    deliveries: readonly NewDelivery[],
    {
      now,
      expiresAt,
      repeated,
    }: { readonly now: Date; readonly expiresAt: Date; readonly repeated: 'replay' | 'keep' },
  ) => [deliveries, { now, expiresAt, isReplay: repeated === 'replay' }],
);

/** Makes deliveries that were given up due again, the oldest first. @returns how many */
export const replayFailedDeliveries = writeQuery(
  'replay_failed_deliveries',
  `update webhook_delivery
      set state = 'pending', attempts = 0, next_at = :now, expires_at = :expiresAt, ended_at = null
    where id in (select id from webhook_delivery where webhook_id = :webhookId and state = 'dead' order by log_id limit :limit)
    returning id`,
).count(
  (
    webhookId: string,
    { now, expiresAt, limit }: { readonly now: Date; readonly expiresAt: Date; readonly limit: number },
  ) => ({ webhookId, now, expiresAt, limit }),
);

/** A delivery to be attempted now. */
export interface DueDelivery extends EventKey {
  readonly id: string;
  readonly type: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  readonly body: string;
}

const claimDue = writeQuery(
  'claim_due_deliveries',
  `with ${pickDue('webhook_delivery', 'webhook_id')}
    update webhook_delivery d set next_at = :until
      from picked, webhook w, webhook_event e
     where d.id = picked.id and w.id = d.webhook_id
       and e.log_id = d.log_id and e.part = d.part and e.dialect = w.dialect
    returning d.id, d.log_id as "logId", d.part, d.type, d.attempts, e.body`,
).rows();

/**
 * Reserves due deliveries of a webhook until a time: if this process dies, others take them then.
 * @returns them in the order of the log
 */
export const claimDueDeliveries = async (
  session: Session,
  webhookId: string,
  { now, until, limit }: Lease,
): Promise<DueDelivery[]> => {
  const due = await claimDue(session, { owner: webhookId, now, until, limit });
  return due.sort((a, b) => a.logId - b.logId || a.part - b.part);
};

/** The outcome of one attempt. */
export interface AttemptOutcome {
  readonly delivery: Pick<DueDelivery, 'id' | 'logId' | 'part' | 'type' | 'attempts'>;
  readonly at: Date;
  readonly latencyMs: number;
  /** HTTP status; null: there was no response. */
  readonly status: number | null;
  /** Why it failed, in words for the owner of the webhook; null: it did not. */
  readonly failure: string | null;
  /** When the next attempt is due, if this one failed. */
  readonly nextAt: Date;
}

/**
 * Stores attempts: what failed is tried again at its `nextAt`, or given up if that is after the delivery's end.
 * @param reservedUntil as the deliveries were claimed: one that was made due again during its attempt stays due
 */
export const settleDeliveries = writeRows(
  'settle_deliveries',
  {
    delivery_id: 'text',
    log_id: 'bigint',
    part: 'integer',
    type: 'text',
    number: 'integer',
    at: 'timestamptz',
    latency_ms: 'integer',
    status: 'smallint',
    failure: 'text',
    next_at: 'timestamptz',
  },
  (rows) => `with outcome as materialized (${rows}), settled as (
      update webhook_delivery d
         set attempts = o.number,
             state = case when o.failure is null then 'delivered' when o.next_at > d.expires_at then 'dead'
                          else 'pending' end,
             next_at = o.next_at,
             ended_at = case when o.failure is null or o.next_at > d.expires_at then o.at end
        from outcome o where d.id = o.delivery_id::uuid and d.state = 'pending' and d.next_at = :reservedUntil)
    insert into webhook_attempt (webhook_id, delivery_id, log_id, part, type, number, at, latency_ms, status, failure)
    select :webhookId::uuid, o.delivery_id::uuid, o.log_id, o.part, o.type, o.number, o.at, o.latency_ms, o.status, o.failure
      from outcome o`,
).done((webhookId: string, outcomes: readonly AttemptOutcome[], reservedUntil: Date) => [
  outcomes.map(({ delivery: { id, attempts, ...delivery }, ...outcome }) => ({
    ...delivery,
    ...outcome,
    deliveryId: id,
    number: attempts + 1,
  })),
  { webhookId, reservedUntil },
]);

/** Makes reserved deliveries that were not attempted due at a time. */
export const releaseDeliveries = writeQuery(
  'release_deliveries',
  `update webhook_delivery set next_at = :at where id = any(:ids::uuid[]) and state = 'pending'`,
).done((ids: readonly string[], at: Date) => (ids.length > 0 ? { ids, at } : undefined));

/** Ends what waits for a webhook that was switched off: `dead` can be replayed as failed, `cancelled` cannot. */
export const endPendingDeliveries = writeQuery(
  'end_pending_deliveries',
  `update webhook_delivery set state = :state, ended_at = :now where webhook_id = :webhookId and state = 'pending'`,
).done((webhookId: string, state: 'dead' | 'cancelled', now: Date) => ({ webhookId, state, now }));

/**
 * @returns the webhooks for which something is due, first those whose last attempt is the longest ago; those that have
 *   failed since `failingSince` or longer are marked
 */
export const selectDueWebhooks = selectQuery(
  'select_due_webhooks',
  `select w.id, w.target_url as "targetUrl", w.dialect, coalesce(w.failing_since < :failingSince, false) as "isFailing!"
     from webhook w
    where w.active and w.deleted_at is null
      and exists (select from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending' and d.next_at <= :now)
    order by (select max(a.id) from webhook_attempt a where a.webhook_id = w.id) nulls first`,
).rows((now: Date, failingSince: Date) => ({ now, failingSince }));
