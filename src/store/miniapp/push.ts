import type { Session } from '../../db/statement.js';
import { selectQuery, writeQuery } from '../query-function.js';
import { arraysOf, type Camel } from '../table.js';
import type { Tables } from '../tables.js';
import type { FailedAttempt } from './failed-attempt.js';
import type { HostPair } from './token.js';

type Columns = Camel<Tables['host_push']>;

export type HostPushState = Columns['state'];

/** A notification on its way to the webhook of a host app. All of its `attempts` so far have failed. */
export type HostPush = Omit<Columns, 'body' | 'state' | 'expiresAt'>;

/** A notification with its webhook, to be sent now. */
export type ClaimedHostPush = Pick<Columns, 'id' | 'appId' | 'body' | 'attempts' | 'nextAt'> &
  Camel<Pick<Tables['host_webhook'], 'url' | 'sealed_secret'>>;

/** @param rows of apps that have a webhook, and keep it meanwhile: see `selectAppsWithWebhook` */
export const insertHostPushes = writeQuery(
  'insert_host_pushes',
  `insert into host_push (id, app_id, fid, domain, body, state, next_at, expires_at, created_at)
    select u.id, u.app_id, u.fid, u.domain, u.body, 'pending', $6, $7, $6
      from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[]) as u (id, app_id, fid, domain, body)`,
).done(
  (
    rows: readonly (HostPair & { readonly id: string; readonly body: string })[],
    { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
  ) => [...arraysOf(rows, 'id', 'appId', 'fid', 'domain', 'body'), now, expiresAt],
);

/** @returns the apps with notifications that are due. */
export const selectAppsWithDuePushes = selectQuery<{ appId: string }>(
  'select_apps_with_due_pushes',
  `select w.app_id as "appId" from host_webhook w
    where exists (select from host_push p where p.app_id = w.app_id and p.state = 'pending' and p.next_at <= $1)`,
).column('appId', (now: Date) => [now]);

/**
 * Leases the due notifications of an app until `until`: if this process dies, others take it then.
 */
export const claimDueHostPushes = writeQuery<ClaimedHostPush>(
  'claim_due_host_pushes',
  `with picked as materialized (
      select id from host_push where app_id = $1 and state = 'pending' and next_at <= $2
       order by next_at limit $4 for update skip locked)
    update host_push p set next_at = $3 from picked, host_webhook w
     where p.id = picked.id and w.app_id = p.app_id
    returning p.id, p.app_id as "appId", p.body, p.attempts, p.next_at as "nextAt", w.url,
              w.sealed_secret as "sealedSecret"`,
).rows((appId: string, { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number }) => [
  appId,
  now,
  until,
  limit,
]);

/** Deletes notifications that were delivered. */
export const deleteHostPush = writeQuery('delete_host_push', 'delete from host_push where id = $1').done(
  (id: string) => [id],
);

/** Stores a failed attempt: the notification is retried at `nextAt`, or given up. */
export const updateHostPushFailed = writeQuery(
  'update_host_push_failed',
  `update host_push
      set attempts = attempts + 1, failure = $2, next_at = $3,
          state = case when $3 > expires_at then 'dead' else 'pending' end,
          ended_at = case when $3 > expires_at then $4::timestamptz end
    where id = $1 and state = 'pending' and next_at = $5`,
).done((id: string, attempt: FailedAttempt) => [id, attempt.failure, attempt.nextAt, attempt.now, attempt.leasedUntil]);

/** @returns the notifications in one state, oldest first. */
export const selectHostPushes = selectQuery<HostPush>(
  'select_host_pushes',
  `select id, app_id as "appId", fid, domain, attempts, next_at as "nextAt", failure, created_at as "createdAt",
         ended_at as "endedAt"
    from host_push where state = $1 order by created_at, id limit $2`,
).rows((state: HostPushState, limit: number) => [state, limit]);

const dueQuery = (name: string, which: string) =>
  writeQuery(
    name,
    `update host_push set state = 'pending', next_at = $1, expires_at = greatest(expires_at, $2), ended_at = null
      where ${which} returning id`,
  );

const retryDead = dueQuery('host_push_retry_dead', "state = 'dead'").count((now: Date, end: Date) => [now, end]);
const retryOne = dueQuery('host_push_retry_one', 'id = $3').count((now: Date, end: Date, id: string) => [now, end, id]);

/**
 * Makes calls that were given up, or wait for their next attempt, due at once, until `expiresAt`.
 * @param id one call; undefined: all that were given up
 * @returns how many
 */
export const updateHostPushesDue = (
  session: Session,
  id: string | undefined,
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
): Promise<number> => (id === undefined ? retryDead(session, now, expiresAt) : retryOne(session, now, expiresAt, id));

/** Deletes notifications that were given up before a time. */
export const deleteUndeliverableHostPushes = writeQuery(
  'delete_undeliverable_host_pushes',
  `delete from host_push where state = 'dead' and ended_at < $1`,
).done((before: Date) => [before]);
