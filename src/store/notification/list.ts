import { type Param, type Reader, statement } from '../database.js';
import {
  about,
  castSources,
  DAY_SECONDS,
  followDays,
  groupFilter,
  inEach,
  NotificationKind,
  newestReaction,
  urlIn,
} from './source.js';
import { answersTo, audienceTagsOf, feedOf, followersOf, type Tag } from '../tag.js';

/** Whose notifications, as which app shows them. */
export interface NotificationScope {
  readonly fid: number;
  readonly appId: string;
  /** Numbers of `NotificationKind`. */
  readonly kinds: readonly number[];
  /** Only what belongs to casts below these parent URLs (name no follows then); undefined: all. */
  readonly parentUrls: readonly string[] | undefined;
  /** Protocol seconds: later events are left out, and groups are as they were then. */
  readonly horizon: number;
}

/** One notification, by its place in the list: newest first, then by kind and key, all descending. */
export interface NotificationRow {
  /** Protocol seconds of its newest event that the fid may see. */
  readonly ts: number;
  /** Number of `NotificationKind`. */
  readonly kind: number;
  /** Hash of the cast it shows, hex without 0x; '' for follows, which go by the day of `ts`. */
  readonly key: string;
}

/** @returns $1 to $4 of the shared SQL. */
export const scopeParams = ({ fid, appId, horizon, kinds }: NotificationScope): Param[] => [fid, appId, horizon, kinds];

/** The row belongs to the rest of the list: ts alone leads the index, the full key decides within a second. */
const behind = (ts: string, kind: number | string, key: string): string =>
  `${ts} <= $5::integer and (${ts}, ${kind}::smallint, ${key}) < ($5::integer, $6::smallint, $7::bytea)`;

/**
 * Groups are found by the newest reaction there is, which need not be one that notifies (it may be hidden, the fid's
 * own, or past the horizon): so a group never belongs further up than it is found, but maybe further down. `edge` is
 * how far down a full page needs to look: as many groups are found there where they belong. Groups found above the
 * page's place are looked at again, one step each, for those that belong into the page. (The inner query of `edge`
 * has no condition whose selectivity could be guessed wrong, so that the index is walked, in its order.)
 */
const groupsText = (url: string | undefined): string => `
  select g.ts, g.type, g.target_hash from (select coalesce((
    select g.latest_ts from (
      select g.latest_ts, g.type, g.target_hash from reaction_group g
       where ${about('g.target_fid', url)} and g.latest_ts <= least($3::integer, $5::integer)
       order by g.latest_ts desc offset 0
    ) g where ${groupFilter} and ${behind('g.latest_ts', 'g.type', 'g.target_hash')}
          and ${newestReaction} = g.latest_ts
     offset $8 - 1 limit 1), -1) as ts offset 0) edge
    cross join lateral (
      select ${newestReaction} as ts, g.type, g.target_hash from reaction_group g
       where ${about('g.target_fid', url)} and g.latest_ts >= edge.ts and ${groupFilter} offset 0
    ) g
   where ${behind('g.ts', 'g.type', 'g.target_hash')}
   order by g.ts desc, g.type desc, g.target_hash desc limit $8`;

const pageText = (urls?: string): string => {
  const url = urlIn(urls);
  return `
  with recursive day as (
    ${followDays(`l.ts < ($5::bigint / ${DAY_SECONDS} + 1) * ${DAY_SECONDS}`)}
  )
  select n.ts, n.kind, encode(n.key, 'hex') as key from (
    ${castSources(url)
      .map(
        ({ kind, select, from }) => `
    ${inEach(
      urls,
      `${select} s.ts, ${kind}::smallint as kind, s.hash as key ${from} and ${behind('s.ts', kind, 's.hash')}
      order by s.ts desc, s.hash desc limit $8`,
    )}
    union all`,
      )
      .join('')}
    ${inEach(urls, groupsText(url))}
    union all
    (select d.ts, ${NotificationKind.follows}::smallint, ''::bytea from day d
      where ${behind('d.ts', NotificationKind.follows, "''::bytea")} limit $8)
  ) n
  order by n.ts desc, n.kind desc, n.key desc limit $8`;
};

/** @returns the tags of what an account is notified of, for an account and an app as statements take them */
export const notificationTags = (fid: Param | undefined, appId: Param | undefined): Tag[] => [
  ...[answersTo, feedOf, followersOf].map((of) => of(fid as number)),
  ...audienceTagsOf(fid, appId),
];

const page = statement<NotificationRow>('notification_page', pageText(), ([fid, appId]) =>
  notificationTags(fid, appId),
);
// Where the threads of others belong has no tag.
const pageUnderUrls = statement<NotificationRow>('notification_page_under_url', pageText('$9'));

const LATEST = 2_147_483_647;
const HIGHEST_KIND = 32_767;

/**
 * @param after the last notification of the page before; undefined: the first page
 * @param limit most rows to return
 */
export const selectNotifications = (
  db: Reader,
  scope: NotificationScope,
  after: NotificationRow | undefined,
  limit: number,
): Promise<NotificationRow[]> => {
  const { ts, kind, key } = after ?? { ts: LATEST, kind: HIGHEST_KIND, key: '' };
  const params = [...scopeParams(scope), ts, kind, Buffer.from(key, 'hex'), limit];
  return scope.parentUrls === undefined ? db.read(page, params) : db.read(pageUnderUrls, [...params, scope.parentUrls]);
};
