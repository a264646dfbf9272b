import { MessageType, ReactionType } from '@farcaster/core';
import { readQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';
import { accountExists } from './account-exists.js';

export interface BestFriendCursor {
  readonly fid: number;
  /** See `selectBestFriends`; more than 0. */
  readonly affinity: number;
}

/** How much one interaction of each kind counts. */
const WEIGHT = { like: 1, recast: 2, reply: 3, mention: 2 } as const;

/** Maximum of the account's own newest likes, recasts and casts, each. */
const OWN = 500;
/** Maximum of mentions by others. */
const MENTIONS = 500;
const NEWEST = 200;
const FOR_EACH_CAST = 25;

const weightOf = (type: string): string =>
  `case when ${type} = ${ReactionType.LIKE} then ${WEIGHT.like} else ${WEIGHT.recast} end`;

const ABOVE_ALL = 1e300;

/**
 * Accounts that interact with an account in both directions, the closest first.
 *
 * The affinity is the geometric mean of both directions, so it is 0 if one account did nothing: `sqrt(out * in)`, four
 * decimals. A like counts 1, a recast 2, a mention 2, a reply 3 (a reply that mentions counts as both). `out`: the
 * account's newest 500 likes, 500 recasts and 500 casts. `in`: the newest 25 of each of the 200 groups (the likes, or
 * the recasts, of one cast) with the latest reactions, the newest 25 replies to each of its newest 200 casts, and the
 * newest 500 mentions of it. These limits bound the work.
 *
 * @param page `horizon` protocol seconds: later events do not count; `after` the last friend of the previous page
 */
export const selectBestFriends = readQuery(
  'best_friend',
  `with own_cast as materialized (
     select c.hash, c.ts, c.parent_fid, c.mentions from "cast" c
      where c.fid = :fid and c.ts <= :horizon::integer
      order by c.ts desc, c.hash desc limit ${OWN}
   ), outward as (
     select d.fid, sum(d.weight) as weight from (
       select r.target_fid as fid, ${weightOf('k.type')} as weight
         from unnest(array[${ReactionType.LIKE}, ${ReactionType.RECAST}]::smallint[]) as k(type)
        cross join lateral (
          select m.target_fid from message m
           where m.fid = :fid and m.type = ${MessageType.REACTION_ADD} and m.subtype = k.type and not m.void
             and m.ts <= :horizon::integer
           order by m.ts desc, m.hash desc limit ${OWN}
        ) r
       union all
       select c.parent_fid, ${WEIGHT.reply} from own_cast c
       union all
       select unnest(c.mentions), ${WEIGHT.mention} from own_cast c
     ) d group by d.fid
   ), inward as (
     select d.fid, sum(d.weight) as weight from (
       select r.fid, ${weightOf('g.type')} as weight
         from (select g.target_hash, g.type from reaction_group g
                where g.target_fid = :fid
                order by g.latest_ts desc, g.target_hash, g.type limit ${NEWEST}) g
        cross join lateral (
          select r.fid from reaction r
           where r.target_fid = :fid and r.target_hash = g.target_hash and r.type = g.type and r.ts <= :horizon::integer
           order by r.ts desc, r.hash desc limit ${FOR_EACH_CAST}
        ) r
       union all
       select r.fid, ${WEIGHT.reply}
         from (select c.hash from own_cast c order by c.ts desc, c.hash desc limit ${NEWEST}) c
        cross join lateral (
          select r.fid from cast_reply r
           where r.parent_fid = :fid and r.parent_hash = c.hash and r.ts <= :horizon::integer
           order by r.ts desc, r.hash desc limit ${FOR_EACH_CAST}
        ) r
       union all
       select n.fid, ${WEIGHT.mention}
         from (select n.fid from cast_mention n
                where n.mentioned_fid = :fid and n.ts <= :horizon::integer
                order by n.ts desc, n.hash desc limit ${MENTIONS}) n
     ) d group by d.fid
   )
   select f.fid as "fid!", f.affinity as "affinity!"
     from (select o.fid, round(sqrt(o.weight * i.weight)::numeric, 4)::float8 as affinity
             from outward o join inward i on i.fid = o.fid
            where o.fid <> :fid
            order by affinity desc, o.fid) f
    cross join lateral (select from account a where a.fid = f.fid and ${accountExists('a')} limit 1) a
    where (-f.affinity, f.fid) > (-:affinity::float8, :last::bigint) and ${visibleTo('f.fid', ':viewer?', ':appId')}
    order by f.affinity desc, f.fid
    limit :limit`,
).rows(
  (
    fid: number,
    { appId, viewer }: Audience,
    page: { readonly horizon: number; readonly after: BestFriendCursor | undefined; readonly limit: number },
  ) => {
    const { affinity, fid: last } = page.after ?? { affinity: ABOVE_ALL, fid: 0 };
    return { fid, viewer, appId, horizon: page.horizon, affinity, last, limit: page.limit };
  },
);
