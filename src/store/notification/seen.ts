import type { Reader } from '../../db/statement.js';
import { readQuery, writeQuery } from '../query-function.js';
import { seenMarksOf } from '../tag.js';
import { type NotificationScope, notificationTags, scopeParams } from './list.js';
import {
  about,
  castSources,
  followDays,
  groupFilter,
  inEach,
  type NotificationFilter,
  NotificationKind,
  newestReaction,
  parentUrlColumn,
} from './source.js';

/** 2021-01-01T00:00:00Z in Unix seconds. */
const EPOCH_SECONDS = 1_609_459_200;

const UNSEEN_LIMIT = 1000;

/** An account's marks of seen notifications within one app. */
export interface NotificationMarks {
  /** Time in protocol seconds up to which notifications were seen, by `NotificationKind`; missing: never marked. */
  readonly seenUntil: ReadonlyMap<number, number>;
  /** Notifications with events newer than their mark, at most 1000. */
  readonly unseen: number;
}

const seenUntil = (kind: number): string => `coalesce((select m.ts from mark m where m.kind = ${kind}), -1)`;

const KINDS = Object.entries(NotificationKind)
  .map(([word, kind]) => `('${word}', ${kind})`)
  .join(', ');

/** The sources are not sorted, so counting stops as soon as the limit is reached. */
const text = (urls?: string): string => `
  with recursive mark as materialized (
    select k.kind, (extract(epoch from n.seen_at)::bigint - ${EPOCH_SECONDS})::integer as ts
      from notification_seen n join (values ${KINDS}) k(type, kind) on k.type = n.type
     where n.fid = :fid and n.app_id = :appId::uuid
  ), day as (
    ${followDays(`l.ts > ${seenUntil(NotificationKind.follows)}`)}
  )
  select (select json_agg(json_build_array(kind, ts)) from mark) as marks, (
    select count(*)::integer from (
      ${castSources(parentUrlColumn(urls))
        .map(
          ({ kind, select, from }) => `${inEach(urls, `${select} 1 ${from} and s.ts > ${seenUntil(kind)}`)} union all`,
        )
        .join('\n      ')}
      ${[NotificationKind.likes, NotificationKind.recasts]
        .map(
          (kind) =>
            `${inEach(
              urls,
              `select 1 from reaction_group g where ${about('g.target_fid', parentUrlColumn(urls))} and ${groupFilter}
         and g.type = ${kind} and g.latest_ts > ${seenUntil(kind)}
         and ${newestReaction} > ${seenUntil(kind)}`,
            )} union all`,
        )
        .join('\n      ')}
      (select 1 from day where day.ts is not null)
      limit ${UNSEEN_LIMIT}
    ) n
  ) as "unseen!"`;

const marks = readQuery('notification_unseen', text(), ({ fid, appId }) => [
  seenMarksOf(fid),
  ...notificationTags(fid, appId),
]).first();
const marksUnderUrls = readQuery('notification_unseen_under_url', text(':urls')).first();

/** @returns the marks, and the number of unseen notifications in this list */
export const selectNotificationMarks = async (db: Reader, scope: NotificationScope): Promise<NotificationMarks> => {
  const params = scopeParams(scope);
  const row =
    scope.parentUrls === undefined
      ? await marks(db, params)
      : await marksUnderUrls(db, { ...params, urls: scope.parentUrls });
  return { seenUntil: new Map(row?.marks ?? []), unseen: row?.unseen ?? 0 };
};

const newestOf = (from: string): string => `(${from} and ts <= :now order by ts desc limit 1)`;

// If a group's latest reaction is in the future, the latest one before it is used. (Hubs accept timestamps up to 10
// minutes ahead, so there are few such groups.)
const newestReactionOf = (type: number): string => `greatest(
    (select g.latest_ts from reaction_group g
      where g.target_fid = :fid and g.type = ${type} and g.latest_ts <= :now order by g.latest_ts desc limit 1),
    (select max(r.ts) from reaction_group g
      cross join lateral (
        select r.ts from reaction r
         where r.target_fid = :fid and r.target_hash = g.target_hash and r.type = ${type} and r.ts <= :now
         order by r.ts desc limit 1) r
      where g.target_fid = :fid and g.type = ${type} and g.latest_ts > :now))`;

/**
 * Marks all stored notifications of these kinds as seen. The mark is the time of the newest notification, not of the
 * call, so that a notification signed before the call but received later is still new. A mark never decreases.
 * @param now protocol seconds; later notifications are not shown yet and not marked
 */
export const updateNotificationSeen = writeQuery(
  'update_notification_seen',
  `insert into notification_seen (fid, app_id, type, seen_at)
   select :fid, :appId::uuid, k.type, to_timestamp(k.ts::bigint + ${EPOCH_SECONDS}) from (values
     ('likes', ${newestReactionOf(NotificationKind.likes)}),
     ('recasts', ${newestReactionOf(NotificationKind.recasts)}),
     ('mentions', ${newestOf('select ts from cast_mention where notified_fid = :fid')}),
     ('replies', ${newestOf('select ts from cast_reply where notified_fid = :fid')}),
     ('quotes', ${newestOf('select ts from cast_quote where notified_fid = :fid')}),
     ('follows', ${newestOf('select ts from link where target_fid = :fid and type = 1')})
   ) k(type, ts)
   where k.ts is not null and k.type = any(:kinds::text[])
   on conflict (fid, app_id, type) do update set seen_at = greatest(notification_seen.seen_at, excluded.seen_at)`,
).done(
  (owner: { readonly fid: number; readonly appId: string }, kinds: readonly NotificationFilter[], now: number) => ({
    fid: owner.fid,
    appId: owner.appId,
    kinds,
    now,
  }),
);
