import { type Reader, type Session, statement } from '../database.js';
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
  urlIn,
} from './source.js';
import { seenBy } from '../tag.js';

/** 2021-01-01T00:00:00Z in Unix seconds. */
const EPOCH_SECONDS = 1_609_459_200;

/** The unseen count is exact up to here and stands still beyond. */
const UNSEEN_LIMIT = 1000;

/** What an account has seen of its notifications, within one app. */
export interface NotificationMarks {
  /** Protocol seconds by number of `NotificationKind`: what is not newer was seen. Kinds never marked are missing. */
  readonly seenUntil: ReadonlyMap<number, number>;
  /** Notifications that hold something newer than their mark, at most 1000. */
  readonly unseen: number;
}

const seenUntil = (kind: number): string => `coalesce((select m.ts from mark m where m.kind = ${kind}), -1)`;

const KINDS = Object.entries(NotificationKind)
  .map(([word, kind]) => `('${word}', ${kind})`)
  .join(', ');

/** The sources are not put in order, so that counting stops as soon as there are enough, in whichever source. */
const text = (urls?: string): string => `
  with recursive mark as materialized (
    select k.kind, (extract(epoch from n.seen_at)::bigint - ${EPOCH_SECONDS})::integer as ts
      from notification_seen n join (values ${KINDS}) k(type, kind) on k.type = n.type
     where n.fid = $1 and n.app_id = $2::uuid
  ), day as (
    ${followDays(`l.ts > ${seenUntil(NotificationKind.follows)}`)}
  )
  select (select json_agg(json_build_array(kind, ts)) from mark) as marks, (
    select count(*)::integer from (
      ${castSources(urlIn(urls))
        .map(
          ({ kind, select, from }) => `${inEach(urls, `${select} 1 ${from} and s.ts > ${seenUntil(kind)}`)} union all`,
        )
        .join('\n      ')}
      ${[NotificationKind.likes, NotificationKind.recasts]
        .map(
          (kind) =>
            `${inEach(
              urls,
              `select 1 from reaction_group g where ${about('g.target_fid', urlIn(urls))} and ${groupFilter}
         and g.type = ${kind} and g.latest_ts > ${seenUntil(kind)}
         and ${newestReaction} > ${seenUntil(kind)}`,
            )} union all`,
        )
        .join('\n      ')}
      (select 1 from day where day.ts is not null)
      limit ${UNSEEN_LIMIT}
    ) n
  ) as unseen`;

interface MarksRow {
  readonly marks: readonly (readonly [kind: number, ts: number])[] | null;
  readonly unseen: number;
}

const marks = statement<MarksRow>('notification_unseen', text(), ([fid, appId]) => [
  seenBy(fid as number),
  ...notificationTags(fid, appId),
]);
const marksUnderUrls = statement<MarksRow>('notification_unseen_under_url', text('$5'));

/** @returns the marks, and how much of this list is unseen. */
export const selectNotificationMarks = async (db: Reader, scope: NotificationScope): Promise<NotificationMarks> => {
  const params = scopeParams(scope);
  const [row] =
    scope.parentUrls === undefined
      ? await db.read(marks, params)
      : await db.read(marksUnderUrls, [...params, scope.parentUrls]);
  return { seenUntil: new Map(row?.marks ?? []), unseen: row?.unseen ?? 0 };
};

/**
 * Marks what an account has seen: everything of these kinds up to the newest that is stored now. Not the time of the
 * call: what was signed before it and arrives after it is new to who reads. A mark never moves back.
 * @param now protocol seconds: what claims to come later is not shown yet
 */
export const updateNotificationSeen = async (
  session: Session,
  owner: { readonly fid: number; readonly appId: string },
  kinds: readonly NotificationFilter[],
  now: number,
): Promise<void> => {
  const newest = (from: string): string => `(${from} and ts <= $4 order by ts desc limit 1)`;
  // A group that something to come leads is marked by what came before it. (Hubs take what is 10 minutes ahead, so
  // there are as many such groups as ten minutes bring.)
  const reactions = (type: number): string => `greatest(
    (select g.latest_ts from reaction_group g
      where g.target_fid = $1 and g.type = ${type} and g.latest_ts <= $4 order by g.latest_ts desc limit 1),
    (select max(r.ts) from reaction_group g
      cross join lateral (
        select r.ts from reaction r
         where r.target_fid = $1 and r.target_hash = g.target_hash and r.type = ${type} and r.ts <= $4
         order by r.ts desc limit 1) r
      where g.target_fid = $1 and g.type = ${type} and g.latest_ts > $4))`;
  await session.run(
    `insert into notification_seen (fid, app_id, type, seen_at)
     select $1, $2::uuid, k.type, to_timestamp(k.ts::bigint + ${EPOCH_SECONDS}) from (values
       ('likes', ${reactions(NotificationKind.likes)}),
       ('recasts', ${reactions(NotificationKind.recasts)}),
       ('mentions', ${newest('select ts from cast_mention where notified_fid = $1')}),
       ('replies', ${newest('select ts from cast_reply where notified_fid = $1')}),
       ('quotes', ${newest('select ts from cast_quote where notified_fid = $1')}),
       ('follows', ${newest('select ts from link where target_fid = $1 and type = 1')})
     ) k(type, ts)
     where k.ts is not null and k.type = any($3::text[])
     on conflict (fid, app_id, type) do update set seen_at = greatest(notification_seen.seen_at, excluded.seen_at)`,
    [owner.fid, owner.appId, kinds, now],
  );
};
