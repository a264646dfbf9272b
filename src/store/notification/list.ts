import type { Reader, Tag } from '../../db/statement.js';
import { DAY_SECONDS } from '../../duration.js';
import { LATEST_TIME } from '../../protocol/time.js';
import { readQuery } from '../query-function.js';
import { audienceTagsOf, feedOf, followersOf, repliesAndReactionsTo } from '../tag.js';
import {
  about,
  castSources,
  followDays,
  groupFilter,
  inEach,
  NotificationKind,
  newestReaction,
  parentUrlColumn,
} from './source.js';

/** The account and app whose notifications are listed. */
export interface NotificationScope {
  readonly fid: number;
  readonly appId: string;
  /** Values of `NotificationKind`. */
  readonly kinds: readonly number[];
  /** Keeps notifications of casts below these parent URLs, without follows; undefined: all. */
  readonly parentUrls: readonly string[] | undefined;
  /** Protocol seconds; later events are left out, also of groups. */
  readonly horizon: number;
}

/** One notification with its sort key: newest first, then by kind and key, all descending. */
export interface NotificationRow {
  /** Protocol seconds of its newest visible event. */
  readonly ts: number;
  /** Value of `NotificationKind`. */
  readonly kind: number;
  /** Hash of its cast, hex without 0x; '' for follows, which are grouped by the day of `ts`. */
  readonly key: string;
}

/** @returns the parameters of the sources of notifications */
export const scopeParams = ({ fid, appId, horizon, kinds }: NotificationScope) => ({ fid, appId, horizon, kinds });

/** SQL: whether a row comes after the cursor. The index starts with ts; the full key decides among equal ts. */
const behind = (ts: string, kind: number | string, key: string): string =>
  `${ts} <= :ts::integer and (${ts}, ${kind}::smallint, ${key}) < (:ts::integer, :kind::smallint, :key::bytea)`;

/**
 * Groups are indexed by their latest reaction, which may cause no notification (if it is hidden, the account's own, or
 * after the horizon). So a group's position in the list is never above its index position, but may be below. `edge` is
 * the index position down to which a page must read: above it, there are enough groups whose two positions are equal.
 * Groups indexed above the page are read again, one step each, because their position may be within the page. (The
 * inner query of `edge` has no condition whose selectivity could be misestimated, so the planner uses the index order.)
 */
const groupsText = (url: string | undefined): string => `
  select g.ts, g.type, g.target_hash from (select coalesce((
    select g.latest_ts from (
      select g.latest_ts, g.type, g.target_hash from reaction_group g
       where ${about('g.target_fid', url)} and g.latest_ts <= least(:horizon::integer, :ts::integer)
       order by g.latest_ts desc offset 0
    ) g where ${groupFilter} and ${behind('g.latest_ts', 'g.type', 'g.target_hash')}
          and ${newestReaction} = g.latest_ts
     offset :limit - 1 limit 1), -1) as ts offset 0) edge
    cross join lateral (
      select ${newestReaction} as ts, g.type, g.target_hash from reaction_group g
       where ${about('g.target_fid', url)} and g.latest_ts >= edge.ts and ${groupFilter} offset 0
    ) g
   where ${behind('g.ts', 'g.type', 'g.target_hash')}
   order by g.ts desc, g.type desc, g.target_hash desc limit :limit`;

const pageText = (urls?: string): string => {
  const url = parentUrlColumn(urls);
  return `
  with recursive day as (
    ${followDays(`l.ts < (:ts::bigint / ${DAY_SECONDS} + 1) * ${DAY_SECONDS}`)}
  )
  select n.ts as "ts!", n.kind as "kind!", encode(n.key, 'hex') as "key!" from (
    ${castSources(url)
      .map(
        ({ kind, select, from }) => `
    ${inEach(
      urls,
      `${select} s.ts, ${kind}::smallint as kind, s.hash as key ${from} and ${behind('s.ts', kind, 's.hash')}
      order by s.ts desc, s.hash desc limit :limit`,
    )}
    union all`,
      )
      .join('')}
    ${inEach(urls, groupsText(url))}
    union all
    (select d.ts, ${NotificationKind.follows}::smallint, ''::bytea from day d
      where ${behind('d.ts', NotificationKind.follows, "''::bytea")} limit :limit)
  ) n
  order by n.ts desc, n.kind desc, n.key desc limit :limit`;
};

/** @returns the tags of an account's notifications */
export const notificationTags = (fid: number, appId: string): Tag[] => [
  ...[repliesAndReactionsTo, feedOf, followersOf].map((of) => of(fid)),
  ...audienceTagsOf(fid, appId),
];

const page = readQuery('notification_page', pageText(), ({ fid, appId }) => notificationTags(fid, appId)).rows();
// The parent URLs of other accounts' threads have no tag, so this list is not cached.
const pageUnderUrls = readQuery('notification_page_under_url', pageText(':urls')).rows();

const HIGHEST_KIND = 32_767;

/** @param after the last notification of the previous page; undefined: the first page */
export const selectNotifications = (
  db: Reader,
  scope: NotificationScope,
  after: NotificationRow | undefined,
  limit: number,
): Promise<NotificationRow[]> => {
  const { ts, kind, key } = after ?? { ts: LATEST_TIME, kind: HIGHEST_KIND, key: '' };
  const params = { ...scopeParams(scope), ts, kind, key: Buffer.from(key, 'hex'), limit };
  return scope.parentUrls === undefined ? page(db, params) : pageUnderUrls(db, { ...params, urls: scope.parentUrls });
};
