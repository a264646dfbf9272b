import { LATEST_TIME } from '../../protocol/time.js';
import { ABOVE_ALL_HASHES } from '../hash-order.js';
import type { FeedPage } from '../query/feed.js';
import { TRUSTED_SCORE } from '../trusted-score.js';

/** Newest reactions of one kind, and newest replies, of a cast that are counted. */
const COUNTED = 500;

/** The time of the first page and the beginning of the period that is ranked, both in protocol seconds. */
export interface RankingPeriod {
  readonly start: number;
  readonly horizon: number;
}

/** SQL: common table of one row, which says whether no account has the score that reactions need, so that all count. */
export const ANYBODY = `anybody as materialized (
  select not exists (select from account a where a.score >= ${TRUSTED_SCORE}::real) as counts)`;

/**
 * SQL: whether the reactions and replies of an account count. Needs `ANYBODY`. The score is compared outside of the
 * subselect, because PostgreSQL would otherwise look for the account among all that have such a score.
 */
export const counts = (fid: string): string =>
  `((select counts from anybody) or (select a.score from account a where a.fid = ${fid}) >= ${TRUSTED_SCORE}::real)`;

/** SQL: whether a time is in the period. */
export const inPeriod = (ts: string): string => `${ts} > :start::integer and ${ts} <= :horizon::integer`;

const reactions = (type: 1 | 2): string => `(
  select count(*)
    from (select r.fid from reaction r
           where r.target_fid = c.fid and r.target_hash = c.hash and r.type = ${type} and r.ts <= :horizon::integer
           order by r.ts desc, r.hash desc limit ${COUNTED}) r
   where r.fid <> c.fid and ${counts('r.fid')})`;

const REPLYING_ACCOUNTS = `(
  select count(distinct r.fid)
    from (select r.fid from cast_reply r
           where r.parent_fid = c.fid and r.parent_hash = c.hash and r.ts <= :horizon::integer
           order by r.ts desc, r.hash desc limit ${COUNTED}) r
   where r.fid <> c.fid and ${counts('r.fid')})`;

/**
 * SQL: joins the points of the cast `c` up to the horizon, as `p`: one for each account that likes it, two for each that
 * recasts it and two for each that replies to it, without its author. Most casts have no reaction at all, which their
 * counters say at once.
 */
export const POINTS = `
  cross join lateral (
    select case when exists (
      select from cast_count n
       where n.fid = c.fid and n.hash = c.hash and n.like_count + n.recast_count + n.reply_count > 0 offset 0
    ) then ${reactions(1)} + 2 * ${reactions(2)} + 2 * ${REPLYING_ACCOUNTS} else 0 end as points offset 0
  ) p`;

/** SQL: the square of the seconds that a cast has been in the period: its weight falls to 0 as it leaves the period. */
export const WEIGHT = '((c.ts - :start::integer)::bigint * (c.ts - :start::integer))';

/**
 * SQL: joins the cast with the `fid` and `hash` of `k`, as `c`, and begins the condition that it is a top-level one of the
 * period. The conditions are outside of the subselect, so that the cast is looked up by its primary key.
 */
export const TOP_LEVEL_CAST = `
  cross join lateral (
    select c.fid, c.hash, c.ts, c.parent_hash from "cast" c where c.fid = k.fid and c.hash = k.hash limit 1
  ) c
  where c.parent_hash is null and ${inPeriod('c.ts')}`;

/**
 * SQL: a page of ranked casts, the highest score first, later ones first among equals.
 * @param ranked SQL of the rows with `fid`, `hash`, `ts` and `score`
 * @param isVisible SQL condition for `s.fid`; evaluated in order, only as far as the page needs
 */
export const rankedPage = (ranked: string, isVisible: string): string => `
  select s.score as "score!", s.ts as "ts!", encode(s.hash, 'hex') as "entry!", encode(s.hash, 'hex') as "hash!"
    from (select r.* from (${ranked}) r
           where r.score > 0 and (r.score, r.ts, r.hash) < (:score::bigint, :ts::integer, :entry::bytea)
           order by r.score desc, r.ts desc, r.hash desc) s
   where ${isVisible}
   order by s.score desc, s.ts desc, s.hash desc limit :limit`;

/** All scores are below it: they are whole numbers, exact in JSON. */
const ABOVE_ALL_SCORES = Number.MAX_SAFE_INTEGER;

/** @returns the parameters that all statements of ranked feeds take */
export const rankedParams = ({ start, horizon }: RankingPeriod, { audience, after, limit }: FeedPage) => ({
  start,
  horizon,
  viewer: audience.viewer,
  appId: audience.appId,
  score: after?.score ?? ABOVE_ALL_SCORES,
  ts: after?.ts ?? LATEST_TIME,
  entry: after === undefined ? ABOVE_ALL_HASHES : Buffer.from(after.entry, 'hex'),
  limit,
});
