import type { Reader } from '../../db/statement.js';
import { LATEST_TIME } from '../../protocol/time.js';
import { urlDigest } from '../../protocol/url-digest.js';
import { ABOVE_ALL_HASHES } from '../hash-order.js';
import { readQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';

/** Position of an item in a list sorted by time: protocol seconds, then the hash of its message. */
export interface FeedCursor {
  /** Of a ranked list, which is sorted by it first. */
  readonly score?: number;
  readonly ts: number;
  /** Hex without 0x: of the cast itself, or of the recast in the feed. */
  readonly entry: string;
}

/** `hash` of the cast: hex without 0x. */
export interface FeedItem extends FeedCursor {
  readonly hash: string;
}

/** A page of a list, and its viewer. */
export interface FeedPage {
  readonly audience: Audience;
  /** The last item of the previous page; undefined: the first page. */
  readonly after: FeedCursor | undefined;
  readonly limit: number;
}

/** Parameters of all statements of feeds. */
export const VIEWER = ':viewer?';
export const APP = ':appId';
export const BEFORE = '(:ts::integer, :entry::bytea)';
export const LIMIT = ':limit';

/** @returns these parameters; `latest` is the latest time on a first page, in protocol seconds */
export const feedParams = ({ audience, after, limit }: FeedPage, latest = LATEST_TIME) => ({
  viewer: audience.viewer,
  appId: audience.appId,
  ts: after?.ts ?? latest,
  entry: after === undefined ? ABOVE_ALL_HASHES : Buffer.from(after.entry, 'hex'),
  limit,
});

/** Columns of a list in which casts are sorted by their own time. */
export const CAST_ITEM = `c.ts as "ts!", encode(c.hash, 'hex') as "entry!", encode(c.hash, 'hex') as "hash!"`;

export interface AuthorCastFilter {
  readonly fid: number;
  /** Keeps casts of threads under these URLs; null: all. */
  readonly parentUrls: readonly string[] | null;
  readonly withReplies: boolean;
  /** Keeps casts signed by a key of this app; null: all. */
  readonly appFid: number | null;
}

export const selectAuthorCasts = readQuery(
  'feed_cast_by_author',
  `select ${CAST_ITEM}
     from "cast" c
    where c.fid = :fid and (c.ts, c.hash) < ${BEFORE}
      and (:parentUrls?::text[] is null or c.root_parent_url = any(:parentUrls?))
      and (:withReplies::boolean or c.parent_hash is null)
      and (:appFid?::bigint is null
        or c.signer in (select k.key from signer_key k where k.fid = :fid and k.request_fid = :appFid?))
      and ${visibleTo(':fid', VIEWER, APP)}
    order by c.ts desc, c.hash desc limit ${LIMIT}`,
).rows(({ fid, parentUrls, withReplies, appFid }: AuthorCastFilter, page: FeedPage) => ({
  ...feedParams(page),
  fid,
  parentUrls,
  withReplies,
  appFid,
}));

/**
 * The casts of one account with the most replies, recasts and likes; replies and recasts count double, because they
 * take more effort. Reads all casts of the account, whose number the protocol's storage limits bound.
 * @returns hashes, hex without 0x
 */
export const selectPopularCasts = readQuery(
  'feed_popular_by_author',
  `select encode(c.hash, 'hex') as "hash!"
     from "cast" c
     left join cast_count n on n.fid = c.fid and n.hash = c.hash
    where c.fid = :fid and ${visibleTo(':fid', VIEWER, APP)}
    order by coalesce(n.like_count + 2 * n.recast_count + 2 * n.reply_count, 0) desc, c.ts desc, c.hash desc
    limit ${LIMIT}`,
).column('hash', (fid: number, { viewer, appId }: Audience, limit: number) => ({ viewer, appId, fid, limit }));

/** Casts that embed one cast, newest first. */
export const selectQuotes = readQuery(
  'feed_quote_by_cast',
  `select ${CAST_ITEM}
     from cast_quote c
    where c.quoted_fid = :quotedFid and c.quoted_hash = :quotedHash and (c.ts, c.hash) < ${BEFORE}
      and ${visibleTo('c.fid', VIEWER, APP)}
    order by c.ts desc, c.hash desc limit ${LIMIT}`,
).rows((quoted: { readonly fid: number; readonly hash: string }, page: FeedPage) => ({
  ...feedParams(page),
  quotedFid: quoted.fid,
  quotedHash: Buffer.from(quoted.hash, 'hex'),
}));

/** Selects casts of channels. */
export interface ChannelCastFilter {
  /** Without duplicates. */
  readonly parentUrls: readonly string[];
  /** Includes all casts in threads that began in the channel. */
  readonly withReplies: boolean;
  /** Keeps casts that the channel's lead likes. */
  readonly likedByLead: boolean;
  /** Keeps casts by members of the channel or its lead; a channel without known members is open to all. */
  readonly membersOnly: boolean;
}

/** SQL: whether the lead of the channel with this URL likes a cast. */
export const likedByLead = (url: string, fid: string, hash: string): string => `exists (
  select from channel_parent_url u
    join channel h on h.id = u.channel_id
    join reaction l on l.target_fid = ${fid} and l.target_hash = ${hash} and l.type = 1 and l.fid = h.lead_fid
   where u.url = ${url})`;

/**
 * SQL: whether an account is a member of the channel with this URL, or the members of the channel are not known: besides
 * the lead there are none, or a list with the number of members names only moderators.
 */
export const isMember = (url: string, fid: string): string => `(
  not exists (
    select from channel_parent_url u
      join channel h on h.id = u.channel_id
      join channel_member m on m.channel_id = h.id
       and (m.role_rank = 2 or (m.role_rank = 1 and h.listed_member_count is null))
     where u.url = ${url} offset 0)
  or exists (
    select from channel_parent_url u join channel_member m on m.channel_id = u.channel_id and m.fid = ${fid}
     where u.url = ${url} offset 0))`;

const selectTopLevelCasts = readQuery(
  'feed_top_level_by_url',
  `select ${CAST_ITEM}
     from unnest(:parentUrls::text[], :digests::bytea[]) as k(url, digest)
    cross join lateral (
      select r.ts, r.hash from cast_reply r
       where r.parent_fid = 0 and r.parent_hash = k.digest and (r.ts, r.hash) < ${BEFORE}
         and ${visibleTo('r.fid', VIEWER, APP)} and (not :liked::boolean or ${likedByLead('k.url', 'r.fid', 'r.hash')})
         and (not :membersOnly::boolean or ${isMember('k.url', 'r.fid')})
       order by r.ts desc, r.hash desc limit ${LIMIT}
    ) c
    order by c.ts desc, c.hash desc limit ${LIMIT}`,
).rows(({ parentUrls, likedByLead: liked, membersOnly }: ChannelCastFilter, page: FeedPage) => ({
  ...feedParams(page),
  parentUrls,
  digests: parentUrls.map(urlDigest),
  liked,
  membersOnly,
}));

const selectThreads = readQuery(
  'feed_thread_by_url',
  `select ${CAST_ITEM}
     from unnest(:parentUrls::text[]) as k(url)
    cross join lateral (
      select r.ts, r.hash from "cast" r
       where r.root_parent_url = k.url and (r.ts, r.hash) < ${BEFORE}
         and ${visibleTo('r.fid', VIEWER, APP)} and (not :liked::boolean or ${likedByLead('k.url', 'r.fid', 'r.hash')})
         and (not :membersOnly::boolean or ${isMember('k.url', 'r.fid')})
       order by r.ts desc, r.hash desc limit ${LIMIT}
    ) c
    order by c.ts desc, c.hash desc limit ${LIMIT}`,
).rows(({ parentUrls, likedByLead: liked, membersOnly }: ChannelCastFilter, page: FeedPage) => ({
  ...feedParams(page),
  parentUrls,
  liked,
  membersOnly,
}));

export const selectCastsByParentUrls = (
  session: Reader,
  filter: ChannelCastFilter,
  page: FeedPage,
): Promise<FeedItem[]> =>
  filter.withReplies ? selectThreads(session, filter, page) : selectTopLevelCasts(session, filter, page);
