import { type RowOf, readQuery, selectQuery, writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';
import type { HostPair } from './token.js';

/** A token that is not disabled, and its use; one that is not active yet has no `liveAt`. */
export type OpenTokenRow = RowOf<'select_open_tokens'>;

/** @returns those of these tokens that are not disabled, of any domain; locked until the transaction ends. */
export const selectOpenTokens = writeQuery(
  'select_open_tokens',
  `select hash, app_id as "appId", fid, domain, live_at as "liveAt", last_at as "lastAt", day_from as "dayFrom",
          day_count as "dayCount"
     from host_token
    where hash = any(:hashes::bytea[]) and closed_at is null
    order by hash for update`,
).rows((hashes: readonly Uint8Array[]) => ({ hashes }));

export type HostNotificationRow = Camel<Omit<Tables['host_notification'], 'app_id' | 'fid'>>;

/** A notification of a mini app to a user of a host app. */
export type HostNotification = Omit<HostNotificationRow, 'id' | 'createdAt'>;

/** @returns the users, as `appId fid`, who got a notification of this id since a time. */
export const selectNotifiedUsers = selectQuery(
  'select_notified_users',
  `select n.app_id || ' ' || n.fid as "user!" from unnest(:appIds::uuid[], :fids::bigint[]) as u(app_id, fid)
     join host_notification n on n.fid = u.fid and n.app_id = u.app_id
    where n.domain = :domain and n.notification_id = :notificationId and n.created_at > :since`,
).columnSet(
  'user',
  (
    users: readonly Pick<HostPair, 'appId' | 'fid'>[],
    { domain, notificationId }: Pick<HostNotification, 'domain' | 'notificationId'>,
    since: Date,
  ) => ({ appIds: users.map((row) => row.appId), fids: users.map((row) => row.fid), domain, notificationId, since }),
);

/** Stores a notification for these users; one of the same id from an earlier day is replaced. */
export const insertHostNotifications = writeQuery(
  'insert_host_notifications',
  `insert into host_notification (app_id, fid, id, domain, notification_id, title, body, target_url, created_at)
    select u.app_id, u.fid, u.id, :domain, :notificationId, :title, :body, :targetUrl, :now
      from unnest(:appIds::uuid[], :fids::bigint[], :ids::uuid[]) as u(app_id, fid, id)
    on conflict (fid, app_id, domain, notification_id) do update
      set id = excluded.id, title = excluded.title, body = excluded.body, target_url = excluded.target_url,
          created_at = excluded.created_at`,
).done(
  (
    users: readonly (Pick<HostPair, 'appId' | 'fid'> & { readonly id: string })[],
    { domain, notificationId, title, body, targetUrl }: HostNotification,
    now: Date,
  ) => ({
    appIds: users.map((row) => row.appId),
    fids: users.map((row) => row.fid),
    ids: users.map((row) => row.id),
    domain,
    notificationId,
    title,
    body,
    targetUrl,
    now,
  }),
);

/** Counts one notification for each of these tokens; `dayFrom` begins a new day if the old one has ended. */
export const updateTokensUsed = writeQuery(
  'update_tokens_used',
  `update host_token
      set last_at = :now,
          day_count = case when day_from > :dayFrom then day_count + 1 else 1 end,
          day_from = case when day_from > :dayFrom then day_from else :now end
    where hash = any(:hashes::bytea[])`,
).done((hashes: readonly Uint8Array[], { now, dayFrom }: { readonly now: Date; readonly dayFrom: Date }) => ({
  hashes,
  now,
  dayFrom,
}));

/** Sort key of a notification in the list: newest first, then by id. */
export interface NotificationCursor {
  /** Unix milliseconds. */
  readonly at: number;
  readonly id: string;
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** @param after sort key of the last notification before the page; undefined: the first page */
export const selectHostNotifications = readQuery(
  'host_notification_list',
  `select id, domain, notification_id as "notificationId", title, body, target_url as "targetUrl",
          created_at as "createdAt"
     from host_notification
    where fid = :fid and app_id = :appId::uuid and (created_at, id) < (coalesce(:beforeAt?::timestamptz, 'infinity'), :beforeId::uuid)
    order by created_at desc, id desc
    limit :limit`,
).rows(
  (
    { appId, fid }: Pick<HostPair, 'appId' | 'fid'>,
    { after, limit }: { readonly after: NotificationCursor | undefined; readonly limit: number },
  ) => ({ fid, appId, beforeAt: after ? new Date(after.at) : null, beforeId: after?.id ?? LAST_ID, limit }),
);

export const deleteOldHostNotifications = writeQuery(
  'delete_old_host_notifications',
  'delete from host_notification where created_at < :before',
).done((before: Date) => ({ before }));
