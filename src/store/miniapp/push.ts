import { dueUpdate, failedUpdate, type Lease, pickDue } from '../outbox.js';
import { selectQuery, writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';
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
    select u.id, u.app_id, u.fid, u.domain, u.body, 'pending', :now, :expiresAt, :now
      from unnest(:ids::uuid[], :appIds::uuid[], :fids::bigint[], :domains::text[], :bodies::text[]) as u (id, app_id, fid, domain, body)`,
).done(
  (
    rows: readonly (HostPair & { readonly id: string; readonly body: string })[],
    { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
  ) => ({
    ids: rows.map((row) => row.id),
    appIds: rows.map((row) => row.appId),
    fids: rows.map((row) => row.fid),
    domains: rows.map((row) => row.domain),
    bodies: rows.map((row) => row.body),
    now,
    expiresAt,
  }),
);

/** @returns the apps with notifications that are due. */
export const selectAppsWithDuePushes = selectQuery(
  'select_apps_with_due_pushes',
  `select w.app_id as id from host_webhook w
    where exists (select from host_push p where p.app_id = w.app_id and p.state = 'pending' and p.next_at <= :now)`,
).rows((now: Date) => ({ now }));

/** Leases the due notifications of an app. */
export const claimDueHostPushes = writeQuery(
  'claim_due_host_pushes',
  `with ${pickDue('host_push', 'app_id')}
    update host_push p set next_at = :until from picked, host_webhook w
     where p.id = picked.id and w.app_id = p.app_id
    returning p.id, p.app_id as "appId", p.body, p.attempts, p.next_at as "nextAt", w.url,
              w.sealed_secret as "sealedSecret"`,
).rows((appId: string, { now, until, limit }: Lease) => ({ owner: appId, now, until, limit }));

/** Deletes notifications that were delivered. */
export const deleteHostPush = writeQuery('delete_host_push', 'delete from host_push where id = :id').done(
  (id: string) => ({ id }),
);

/** Stores a failed attempt: the notification is retried at `nextAt`, or given up. */
export const updateHostPushFailed = failedUpdate('host_push');

/** @returns the notifications in one state, oldest first. */
export const selectHostPushes = selectQuery(
  'select_host_pushes',
  `select id, app_id as "appId", fid, domain, attempts, next_at as "nextAt", failure, created_at as "createdAt",
         ended_at as "endedAt"
    from host_push where state = :state order by created_at, id limit :limit`,
).rows((state: HostPushState, limit: number) => ({ state, limit }));

/** Makes one notification, or all that were given up, due at once. */
export const updateHostPushesDue = dueUpdate('host_push');

/** Deletes notifications that were given up before a time. */
export const deleteUndeliverableHostPushes = writeQuery(
  'delete_undeliverable_host_pushes',
  `delete from host_push where state = 'dead' and ended_at < :before`,
).done((before: Date) => ({ before }));
