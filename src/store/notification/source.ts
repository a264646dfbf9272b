import { DAY_SECONDS } from '../../duration.js';
import { LinkSubtype } from '../../protocol/link-subtype.js';
import { visibleTo } from '../visibility.js';

/**
 * SQL of the sources of notifications. There is no table of notifications; they are selected from messages.
 *
 * Shared parameters: `fid` (also the viewer), `appId`, `horizon` (protocol seconds), `kinds`. `offset 0` keeps a lookup
 * from becoming a join, which might read all replies to a popular account.
 */

/** Kinds of notification; likes and recasts have the numbers of the reaction types. */
export const NotificationKind = { likes: 1, recasts: 2, mentions: 3, replies: 4, quotes: 5, follows: 6 } as const;
export type NotificationFilter = keyof typeof NotificationKind;
export const NOTIFICATION_FILTERS = Object.keys(NotificationKind) as NotificationFilter[];

const HORIZON = ':horizon::integer';

/** An account gets no notification for its own actions, nor for actions of accounts hidden from it. */
const fromOther = (author: string): string => `${author} <> :fid and ${visibleTo(author, ':fid', ':appId')}`;

/** SQL: whether a cast of the account is stored; notifications disappear with their cast. */
export const ownCast = (hash: string): string =>
  `exists (select from "cast" own where own.fid = :fid and own.hash = ${hash} offset 0)`;

/**
 * SQL condition for rows about casts of the account, or that mention it. With a parent URL, it is written so that only
 * the index on both as one key can be used.
 * @param target column with the fid
 */
export const about = (target: string, url: string | undefined): string => {
  const [row] = target.split('.');
  return url === undefined
    ? `${target} = :fid`
    : `(${target}::text || ' ' || ${row}.root_parent_url) = (:fid::bigint::text || ' ' || ${url})`;
};

/**
 * SQL of a part of a list, read separately for each parent URL (`place.url`), by which the index is sorted.
 * @param urls placeholder of the parent URLs; undefined: no filter
 */
export const inEach = (urls: string | undefined, part: string): string =>
  urls === undefined
    ? `(${part})`
    : `(select part.* from (select distinct u.url from unnest(${urls}::text[]) u(url)) place cross join lateral (${part}) part)`;

/** SQL of the URL for which a part of a filtered list is read. */
export const parentUrlColumn = (urls: string | undefined): string | undefined =>
  urls === undefined ? undefined : 'place.url';

/** A kind of cast that causes notifications. */
export interface CastSource {
  readonly kind: number;
  /** `select` or `select distinct on (...)`, because a cast may quote two casts of the account. */
  readonly select: string;
  /** `from` with the rows as `s`, with ts and hash. */
  readonly from: string;
}

/**
 * The kinds of casts that cause notifications, read by the notified account (`notified_fid`), which is never the
 * author. A cast causes one notification: a reply to the account, else a quote of its cast, else a mention.
 * @param url SQL of the parent URL that filters the list
 */
export const castSources = (url?: string): CastSource[] => {
  const source = (kind: number, table: string, target?: string): CastSource => ({
    kind,
    select: table === 'cast_quote' ? 'select distinct on (s.ts, s.hash)' : 'select',
    from: `from ${table} s where ${about('s.notified_fid', url)} and ${kind} = any(:kinds::smallint[]) and s.ts <= ${HORIZON}
             and ${target === undefined ? '' : `${ownCast(target)} and `}${visibleTo('s.fid', ':fid', ':appId')}`,
  });
  const { replies, quotes, mentions } = NotificationKind;
  return [
    source(replies, 'cast_reply', 's.parent_hash'),
    source(quotes, 'cast_quote', 's.quoted_hash'),
    source(mentions, 'cast_mention'),
  ];
};

/** SQL: ts of a group's (alias `g`) newest reaction that causes a notification; null: none does. */
export const newestReaction = `(
  select r.ts from reaction r
   where r.target_fid = :fid and r.target_hash = g.target_hash and r.type = g.type and r.ts <= ${HORIZON}
     and ${fromOther('r.fid')}
   order by r.ts desc limit 1)`;

/** SQL condition for groups of likes and recasts (alias `g`) that may cause notifications. */
export const groupFilter = `g.type = any(:kinds::smallint[]) and ${ownCast('g.target_hash')}`;

const newestFollow = (condition: string): string => `(
  select l.ts from link l
   where l.target_fid = :fid and l.type = ${LinkSubtype.follow} and l.ts <= ${HORIZON} and ${condition} and ${fromOther('l.fid')}
   order by l.ts desc limit 1)`;

/**
 * Body of the recursive query `day` with the column ts: the newest follow of each UTC day that has one, latest day
 * first. Each day takes one index step, for any number of follows. (Protocol time starts at midnight.)
 * @param bound condition on the follows (alias `l`)
 */
export const followDays = (bound: string): string => `
  select ${newestFollow(`${NotificationKind.follows} = any(:kinds::smallint[]) and ${bound}`)} as ts
  union all
  select ${newestFollow(`l.ts < day.ts - day.ts % ${DAY_SECONDS} and ${bound}`)} from day where day.ts is not null`;
