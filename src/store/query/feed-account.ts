import { forceGenericPlan } from '../../db/generic-plan.js';
import type { Reader, Tag } from '../../db/statement.js';
import { type ParamsOf, readQuery } from '../query-function.js';
import { audienceTagsOf, followsOf } from '../tag.js';
import { visibleTo } from '../visibility.js';
import {
  APP,
  type ChannelCastFilter,
  type FeedItem,
  type FeedPage,
  feedParams,
  isMember,
  LIMIT,
  likedByLead,
  VIEWER,
} from './feed.js';
import { readFollowedTags } from './feed-followed.js';

/** Selects which entries of the accounts are in the feed. */
export interface AccountFeed {
  readonly casts: 'all' | 'replies' | 'none';
  /** Whether recasts are included; the cast is sorted by the time of the recast. */
  readonly recasts: boolean;
  /** False leaves out replies, also recast ones; absent: as `places` says, or with replies. */
  readonly withReplies?: boolean;
  /** Keeps casts of these channels; absent: all. */
  readonly places?: ChannelCastFilter;
}

/** Number of accounts above which the casts of the whole network are read by time and filtered. */
const MANY = 200;
/** Number of the network's casts in the first range of time; each further range has four times as many. */
const STRETCH = 1000;
/** Number of ranges after which accounts are read one by one, because their entries are rare. */
const STRETCHES = 4;

/**
 * @returns number of unfiltered entries to read at once: a page, and some for entries that are hidden, duplicates, or
 *   replies where these are left out
 */
const rawLimit = (limit: number, withReplies: boolean): number => Math.ceil(limit * (withReplies ? 1.5 : 2.5)) + 8;

/** Types of the parameters, without that of `source`. */
const TYPES = {
  viewer: 'bigint',
  appId: 'uuid',
  ts: 'integer',
  entry: 'bytea',
  limit: 'integer',
  horizon: 'integer',
  casts: 'boolean',
  recasts: 'boolean',
  onlyReplies: 'boolean',
  parentUrls: 'text[]',
  raw: 'integer',
  withReplies: 'boolean',
  liked: 'boolean',
  membersOnly: 'boolean',
};

const RAW = ':raw';
const PLACE = '(s.ts, s.entry)';
const recast = (m: string) => `${m}.type = 3 and ${m}.subtype = 2`;
const inFeed = (fid: string) => `(${fid} in (select fid from source)) is true`;

/**
 * Selects the casts and recasts of any number of accounts, merged by time.
 *
 * `step` goes back in time only as far as the page needs, because PostgreSQL computes the rows of a recursion on demand
 * and LIMIT stops it. Each step finds the newest entries before the last one of the previous step:
 * - few accounts: the newest of each, with the index by author;
 * - many accounts: all entries in a range of time, with the indexes by time;
 * - many accounts without entries in the last ranges: first the newest of each, to find the next range.
 * Entries that are not stored, hidden, of another channel, or duplicates of a newer entry are removed afterwards, one
 * by one and in order, so that pages are full and do not overlap. There is no sort outside of the recursion, because it
 * would compute all steps.
 */
const feedQuery = <Of extends 'feed_of_followed' | 'feed_of_accounts'>(
  name: Of,
  source: string,
  sourceType: string,
  tags?: (params: ParamsOf<Of>) => readonly Tag[],
) =>
  readQuery(
    name,
    forceGenericPlan(
      `with recursive source as materialized (${source}),
     size as materialized (select count(*) as accounts from source),
     step as (
       select 0 as turn, :ts as ts, :entry as entry, true as more, null::integer[] as all_ts,
              null::bytea[] as all_entry, null::bigint[] as all_fid, null::bytea[] as all_hash, null::bigint[] as all_by
       union all
       select s.turn + 1, next.* from step s
        cross join lateral (
          with few as materialized (select accounts <= ${RAW} as yes from size),
          many as materialized (select accounts > ${MANY} and s.turn < ${STRETCHES} as yes from size),
          newest as materialized (
            select a.fid, greatest(
                (select c.ts from "cast" c where :casts and c.fid = a.fid and (c.ts, c.hash) < ${PLACE}
                  order by c.ts desc, c.hash desc limit 1),
                (select m.ts from message m
                  where :recasts and m.fid = a.fid and ${recast('m')} and not m.void and (m.ts, m.hash) < ${PLACE}
                  order by m.ts desc, m.hash desc limit 1)) as ts
              from source a where not (select yes from few) and not (select yes from many)
          ), bound as materialized (
            select coalesce(case
                when few.yes then null
                when many.yes then (select c.ts from "cast" c where (c.ts, c.hash) < ${PLACE}
                  order by c.ts desc, c.hash desc offset ${STRETCH} * 4 ^ s.turn limit 1)
                else (select n.ts from newest n where n.ts is not null order by n.ts desc offset ${RAW} - 1 limit 1)
              end, -1) as ts
              from few, many
          ), asked as materialized (
            select fid from newest where ts >= (select ts from bound)
            union all
            select fid from source where (select yes from few)
          ), found as materialized (
            select * from (
              select c.ts, c.hash as entry, a.fid, c.hash, a.fid as by from asked a
               cross join lateral (
                 select c.ts, c.hash from "cast" c
                  where :casts and c.fid = a.fid and (c.ts, c.hash) < ${PLACE} and c.ts >= (select ts from bound)
                  order by c.ts desc, c.hash desc limit ${RAW}) c
              union all
              select m.ts, m.hash, m.target_fid, m.target_hash, a.fid from asked a
               cross join lateral (
                 select m.ts, m.hash, m.target_fid, m.target_hash from message m
                  where :recasts and m.fid = a.fid and ${recast('m')} and not m.void
                    and (m.ts, m.hash) < ${PLACE} and m.ts >= (select ts from bound)
                  order by m.ts desc, m.hash desc limit ${RAW}) m
              union all
              select c.ts, c.hash, c.fid, c.hash, c.fid from "cast" c
               where :casts and (select yes from many) and (c.ts, c.hash) < ${PLACE}
                 and c.ts >= (select ts from bound) and ${inFeed('c.fid')}
              union all
              select m.ts, m.hash, m.target_fid, m.target_hash, m.fid from message m
               where :recasts and (select yes from many) and ${recast('m')} and (m.ts, m.hash) < ${PLACE}
                 and m.ts >= (select ts from bound) and ${inFeed('m.fid')}
            ) entry order by entry.ts desc, entry.entry desc limit ${RAW}
          )
          select case when count(*) < ${RAW} then (select ts from bound) else min(ts) end,
                 case when count(*) < ${RAW} then ''::bytea else (array_agg(entry order by ts, entry))[1] end,
                 count(*) = ${RAW} or (select ts from bound) >= 0,
                 array_agg(ts order by ts desc, entry desc), array_agg(entry order by ts desc, entry desc),
                 array_agg(fid order by ts desc, entry desc), array_agg(hash order by ts desc, entry desc),
                 array_agg(by order by ts desc, entry desc)
            from found
        ) next
        where s.more
     )
     select e.ts as "ts!", encode(e.entry, 'hex') as "entry!", encode(e.hash, 'hex') as "hash!"
       from step s
       cross join lateral unnest(s.all_ts, s.all_entry, s.all_fid, s.all_hash, s.all_by) as e(ts, entry, fid, hash, by)
       cross join lateral (
         select exists (
             select from "cast" c where c.fid = e.fid and c.hash = e.hash
                and (:withReplies or c.parent_hash is null)
                and (:parentUrls? is null or (
                  c.root_parent_url = any(:parentUrls?)
                  and (not :liked or ${likedByLead('c.root_parent_url', 'c.fid', 'c.hash')})
                  and (not :membersOnly or ${isMember('c.root_parent_url', 'c.fid')})))
                and case
                  when e.entry = e.hash then not :onlyReplies or c.parent_hash is not null
                  -- A cast may say that it is newer than its recast; then it stands where it was written.
                  else not (:casts and (not :onlyReplies or c.parent_hash is not null) and c.ts <= :horizon
                            and (c.ts, c.hash) > (e.ts, e.entry) and ${inFeed('c.fid')})
                end)
           and not (:recasts and exists (
             select from reaction r
              where r.target_fid = e.fid and r.target_hash = e.hash and r.type = 2
                and (r.ts, r.hash) > (e.ts, e.entry) and r.ts <= :horizon and ${inFeed('r.fid')}
                and (r.fid = e.by or (${visibleTo('r.fid', VIEWER, APP)}))))
           and (${visibleTo('e.fid', VIEWER, APP)})
           and (e.by = e.fid or (${visibleTo('e.by', VIEWER, APP)})) as shown
         offset 0
       ) rule
      where rule.shown
      limit ${LIMIT}`,
      { ...TYPES, source: sourceType },
    ),
    tags,
  ).rows();

const following = feedQuery(
  'feed_of_followed',
  'select target_fid as fid from message where fid = :source and type = 5 and subtype = 1 and not void',
  'bigint',
  // `readFollowedTags` adds the tags of the followed accounts.
  ({ viewer, appId, source }) => [followsOf(source), ...audienceTagsOf(viewer, appId)],
);

const chosen = feedQuery('feed_of_accounts', 'select distinct unnest(:source) as fid', 'bigint[]');

const paramsOf = (feed: AccountFeed, page: FeedPage, horizon: number) => {
  const withReplies = feed.withReplies ?? feed.places?.withReplies ?? true;
  return {
    ...feedParams(page, horizon),
    horizon,
    casts: feed.casts !== 'none',
    recasts: feed.recasts,
    onlyReplies: feed.casts === 'replies',
    parentUrls: feed.places?.parentUrls ?? null,
    raw: rawLimit(page.limit, withReplies),
    withReplies,
    liked: feed.places?.likedByLead ?? false,
    membersOnly: feed.places?.membersOnly ?? false,
  };
};

/**
 * Casts and recasts by the accounts that one account follows, newest first, each cast once at its newest entry.
 * @param horizon protocol seconds; later events are left out
 */
export const selectFollowingFeed = async (
  session: Reader,
  fid: number,
  feed: AccountFeed,
  page: FeedPage,
  horizon: number,
): Promise<FeedItem[]> => {
  const [items] = await Promise.all([
    following(session, { ...paramsOf(feed, page, horizon), source: fid }),
    readFollowedTags(session, fid),
  ]);
  return items;
};

/** The same for the given accounts. */
export const selectAccountFeed = (
  session: Reader,
  fids: readonly number[],
  feed: AccountFeed,
  page: FeedPage,
  horizon: number,
): Promise<FeedItem[]> => chosen(session, { ...paramsOf(feed, page, horizon), source: fids });
