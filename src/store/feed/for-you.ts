import { toUnixMs } from '../../protocol/time.js';
import { APP, type FeedPage, VIEWER } from '../query/feed.js';
import { followMessage } from '../query/follow.js';
import { readQuery } from '../query-function.js';
import { visibleTo } from '../visibility.js';
import {
  ANYBODY,
  inPeriod,
  POINTS,
  type RankingPeriod,
  rankedPage,
  rankedParams,
  TOP_LEVEL_CAST,
  WEIGHT,
} from './ranking.js';

/** Newest follows of the account whose casts are read. */
const FOLLOWED = 500;
/** Newest follows of the account whose own follows are read, and how many of each. */
const NEIGHBOURS = 100;
const FOLLOWS_OF_NEIGHBOUR = 100;
/** Accounts followed by most of them whose casts are read, each by two of them at least. */
const SUGGESTED = 50;
/** Newest casts of each account that are read, replies included. */
const CASTS = 10;
/** Newest channels that the account follows, and newest casts under each of their URLs, replies included. */
const CHANNELS = 50;
const CHANNEL_CASTS = 20;
/** Casts whose reactions are counted: those that are closest and newest. */
const RANKED = 1000;

/** What the author and the channel of a cast count. */
const CLOSENESS = { followed: 4, suggested: 3, channel: 2 };

const FOLLOW = `l.fid = :fid and ${followMessage('l')} and l.ts <= :horizon::integer`;
const CHANNEL_FOLLOW = 'f.fid = :fid and f.followed_at <= :at::timestamptz';

const paramsOf = (fid: number, { horizon }: RankingPeriod) => ({
  fid,
  horizon,
  at: new Date(toUnixMs(horizon + 1) - 1),
});

/** Whether the account followed an account or a channel at the time of the first page. */
export const selectFollowsAnything = readQuery(
  'feed_for_you_follow',
  `select 1 where exists (select from message l where ${FOLLOW})
      or exists (select from channel_follow f where ${CHANNEL_FOLLOW})`,
).hasRows(paramsOf);

/**
 * Recent top-level casts of the accounts and channels that an account follows, and of accounts that several of those
 * accounts follow, the highest score first (docs/ranking.md). Without casts of the account itself, and of accounts
 * hidden from it or the audience.
 */
export const selectFeedForYou = readQuery(
  'feed_for_you',
  `with ${ANYBODY}, own as materialized (
     select l.target_fid as fid, l.ts, l.hash from message l where ${FOLLOW}
   ), followed as materialized (
     select own.fid from own where own.fid <> :fid order by own.ts desc, own.hash desc limit ${FOLLOWED}
   ), suggested as materialized (
     select e.fid, least(count(*), ${CLOSENESS.suggested}) as closeness
       from (select own.fid from own where own.fid <> :fid order by own.ts desc, own.hash desc limit ${NEIGHBOURS}) n
      cross join lateral (
        select l.target_fid as fid from message l
         where l.fid = n.fid and ${followMessage('l')} and l.ts <= :horizon::integer
         order by l.ts desc, l.hash desc limit ${FOLLOWS_OF_NEIGHBOUR}
      ) e
      where e.fid <> :fid and not exists (select from own where own.fid = e.fid)
      group by e.fid having count(*) > 1
      order by count(*) desc, e.fid limit ${SUGGESTED}
   ), url as materialized (
     select u.url
       from (select f.channel_id from channel_follow f where ${CHANNEL_FOLLOW}
              order by f.followed_at desc, f.channel_id limit ${CHANNELS}) h
      cross join lateral (select u.url from channel_parent_url u where u.channel_id = h.channel_id offset 0) u
   ), found as materialized (
     select n.fid, n.hash, a.closeness, 0 as channel
       from (select fid, ${CLOSENESS.followed} as closeness from followed
             union all select fid, closeness from suggested) a
      cross join lateral (
        select c.fid, c.hash from "cast" c where c.fid = a.fid and ${inPeriod('c.ts')}
         order by c.ts desc, c.hash desc limit ${CASTS}
      ) n
     union all
     select n.fid, n.hash, 0, ${CLOSENESS.channel}
       from url
      cross join lateral (
        select c.fid, c.hash from "cast" c where c.root_parent_url = url.url and c.ts <= :horizon::integer
         order by c.ts desc, c.hash desc limit ${CHANNEL_CASTS}
      ) n
      where n.fid <> :fid
   ), candidate as materialized (
     select c.fid, c.hash, c.ts, k.closeness
       from (select fid, hash, max(closeness) + max(channel) as closeness from found group by fid, hash) k
            ${TOP_LEVEL_CAST}
      order by k.closeness * ${WEIGHT} desc, c.ts desc, c.hash desc limit ${RANKED}
   )
   ${rankedPage(
     `select c.fid, c.hash, c.ts, c.closeness * floor(10 * sqrt(1 + p.points))::bigint * ${WEIGHT} as score
        from candidate c ${POINTS}`,
     `${visibleTo('s.fid', VIEWER, APP)} and ${visibleTo('s.fid', ':fid', APP)}`,
   )}`,
).rows((fid: number, period: RankingPeriod, page: FeedPage) => ({
  ...rankedParams(period, page),
  ...paramsOf(fid, period),
}));
