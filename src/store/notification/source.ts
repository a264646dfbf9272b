import { visibleTo } from '../visibility.js';

/**
 * Where notifications come from, as SQL. There is no table of notifications: messages are the only truth.
 *
 * Placeholders that all parts share: $1 fid (it is the viewer too), $2 app, $3 horizon (protocol seconds), $4 kinds.
 * `offset 0` keeps a lookup a lookup: turned into a join it might read all answers that a celebrity ever got.
 */

/** Kinds of notification as lists and marks number them; likes and recasts have the numbers of the reactions. */
export const NotificationKind = { likes: 1, recasts: 2, mentions: 3, replies: 4, quotes: 5, follows: 6 } as const;
export type NotificationFilter = keyof typeof NotificationKind;

export const DAY_SECONDS = 86_400;
const FOLLOW = 1;
const HORIZON = '$3::integer';

/** Own actions notify nobody, and nobody hears of whom they do not see. */
const fromOther = (author: string): string => `${author} <> $1 and ${visibleTo(author, '$1', '$2')}`;

/** Whether a cast of the fid is stored: notifications go with the cast that they are about. */
const ownCast = (hash: string): string =>
  `exists (select from "cast" own where own.fid = $1 and own.hash = ${hash} offset 0)`;

/**
 * Rows about casts of the fid, or that speak of it; narrowed to a parent URL through the index that has both as one
 * key, and through no other.
 * @param target column with the fid
 */
export const about = (target: string, url: string | undefined): string => {
  const [row] = target.split('.');
  return url === undefined
    ? `${target} = $1`
    : `(${target}::text || ' ' || ${row}.root_parent_url) = ($1::bigint::text || ' ' || ${url})`;
};

/**
 * A part of a narrowed list, read under each URL (`place.url`) on its own: there it stands in order.
 * @param urls placeholder of the parent URLs; undefined: the list is not narrowed
 */
export const inEach = (urls: string | undefined, part: string): string =>
  urls === undefined
    ? `(${part})`
    : `(select part.* from (select distinct u.url from unnest(${urls}::text[]) u(url)) place cross join lateral (${part}) part)`;

/** SQL of the URL that a part of a narrowed list is read under. */
export const urlIn = (urls: string | undefined): string | undefined => (urls === undefined ? undefined : 'place.url');

/** One kind of cast that notifies. */
export interface CastSource {
  readonly kind: number;
  /** What to pick, as `select` or `select distinct on (...)`: a cast may quote two of the fid's. */
  readonly select: string;
  /** Its rows under the alias `s`, with ts and hash. */
  readonly from: string;
}

/**
 * The three kinds of casts that notify, read by whom they notify (`notified_fid`): nobody hears of his own casts, and
 * a cast is one notification, a reply if it answers the fid, else a quote if it embeds a cast of his, else a mention.
 * @param url SQL of the parent URL that the list is narrowed to
 */
export const castSources = (url?: string): CastSource[] => {
  const source = (kind: number, table: string, target?: string): CastSource => ({
    kind,
    select: table === 'cast_quote' ? 'select distinct on (s.ts, s.hash)' : 'select',
    from: `from ${table} s where ${about('s.notified_fid', url)} and ${kind} = any($4::smallint[]) and s.ts <= ${HORIZON}
             and ${target === undefined ? '' : `${ownCast(target)} and `}${visibleTo('s.fid', '$1', '$2')}`,
  });
  const { replies, quotes, mentions } = NotificationKind;
  return [
    source(replies, 'cast_reply', 's.parent_hash'),
    source(quotes, 'cast_quote', 's.quoted_hash'),
    source(mentions, 'cast_mention'),
  ];
};

/** ts of the newest reaction of a group (alias `g`) that notifies; null: none does. */
export const newestReaction = `(
  select r.ts from reaction r
   where r.target_fid = $1 and r.target_hash = g.target_hash and r.type = g.type and r.ts <= ${HORIZON}
     and ${fromOther('r.fid')}
   order by r.ts desc limit 1)`;

/** Which groups of likes and recasts (alias `g`) may notify. */
export const groupFilter = `g.type = any($4::smallint[]) and ${ownCast('g.target_hash')}`;

const newestFollow = (condition: string): string => `(
  select l.ts from link l
   where l.target_fid = $1 and l.type = ${FOLLOW} and l.ts <= ${HORIZON} and ${condition} and ${fromOther('l.fid')}
   order by l.ts desc limit 1)`;

/**
 * Body of the recursive query `day` with the column ts: the newest follow of each UTC day that has one, latest day
 * first. A day costs one step in the index, whatever happened on it. (The protocol's time begins at midnight.)
 * @param bound condition on the follows (alias `l`)
 */
export const followDays = (bound: string): string => `
  select ${newestFollow(`${NotificationKind.follows} = any($4::smallint[]) and ${bound}`)} as ts
  union all
  select ${newestFollow(`l.ts < day.ts - day.ts % ${DAY_SECONDS} and ${bound}`)} from day where day.ts is not null`;
