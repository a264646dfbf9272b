import { urlDigest } from '../../protocol/url-digest.js';
import { APP, type FeedPage, VIEWER } from '../query/feed.js';
import { readQuery } from '../query-function.js';
import { visibleTo } from '../visibility.js';
import {
  ANYBODY,
  counts,
  inPeriod,
  POINTS,
  type RankingPeriod,
  rankedPage,
  rankedParams,
  TOP_LEVEL_CAST,
  WEIGHT,
} from './ranking.js';

/** Newest recasts of the period that are read. */
const RECASTS = 10_000;
/** Casts with most of these recasts that are ranked. */
const RECASTED = 500;
/** Newest casts of the period, of the network or of a channel, that are ranked. */
const NEWEST = 1000;

const RANKED = `
  select c.fid, c.hash, c.ts, p.points * ${WEIGHT} as score
    from (select c.fid, c.hash, c.ts from candidate k ${TOP_LEVEL_CAST} offset 0) c ${POINTS}`;

const PAGE = rankedPage(RANKED, visibleTo('s.fid', VIEWER, APP));

/**
 * Top-level casts of a period by what accounts did with them, the highest score first (docs/ranking.md). Ranks the
 * 500 casts with most of the newest 10,000 recasts, and those among the newest 1,000 casts.
 */
export const selectTrendingCasts = readQuery(
  'feed_trending',
  `with ${ANYBODY}, candidate as materialized (
     (select r.target_fid as fid, r.target_hash as hash
        from (select m.fid, m.target_fid, m.target_hash from message m
               where m.type = 3 and m.subtype = 2 and ${inPeriod('m.ts')}
               order by m.ts desc, m.hash desc limit ${RECASTS}) r
       where r.fid <> r.target_fid and ${counts('r.fid')}
       group by r.target_fid, r.target_hash
       order by count(*) desc, r.target_hash desc limit ${RECASTED})
     union
     (select c.fid, c.hash from "cast" c where ${inPeriod('c.ts')} order by c.ts desc, c.hash desc limit ${NEWEST})
   )
   ${PAGE}`,
).rows(rankedParams);

// The period begins outside of the subselect: for a range that ends on both sides PostgreSQL expects few rows, which it
// would read and sort instead of reading the newest.
/** The same for the newest 1,000 top-level casts under these URLs, which have no duplicates. */
export const selectTrendingCastsByUrls = readQuery(
  'feed_trending_by_url',
  `with ${ANYBODY}, candidate as materialized (
     select n.fid, n.hash
       from unnest(:digests::bytea[]) as u(digest)
      cross join lateral (
        select r.fid, r.ts, r.hash from cast_reply r
         where r.parent_fid = 0 and r.parent_hash = u.digest and r.ts <= :horizon::integer
         order by r.ts desc, r.hash desc limit ${NEWEST}
      ) n
      where n.ts > :start::integer
      order by n.ts desc, n.hash desc limit ${NEWEST}
   )
   ${PAGE}`,
).rows((parentUrls: readonly string[], period: RankingPeriod, page: FeedPage) => ({
  ...rankedParams(period, page),
  digests: parentUrls.map(urlDigest),
}));
