import { embeddedDomains } from '../embed-domain.js';
import { readQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';
import { accountExists } from './account-exists.js';
import type { BestFriendCursor } from './best-friend.js';
import { followMessage } from './follow.js';

/** Newest follows of the viewer that are read. */
const FOLLOWS = 500;
/** Newest casts of each account that are read. */
const CASTS = 50;
/** Mini apps in a response, which has no pages, and accounts for each of them. */
const MINI_APPS = 25;
const ACCOUNTS = 53;

/**
 * Mini apps that the viewer's best friends, or accounts that it follows, embedded in casts: at most 25. It reads the
 * newest 500 follows of the viewer and the newest 50 casts of each account within the period. A mini app ranks by the
 * sum of one and the affinity over its accounts (`fids`, the closest first, at most 53), then by its latest cast.
 * @param friends the viewer's best friends
 * @param filter `after` and `until` in protocol seconds; `networks` null: all
 */
export const selectRelevantMiniApps = readQuery(
  'mini_app_relevant',
  `with circle as materialized (
     select u.fid, max(u.affinity) as affinity
       from (select f.fid, f.affinity from unnest(:fids::bigint[], :affinities::float8[]) f(fid, affinity)
             union all
             (select l.target_fid, 0 from message l
               where l.fid = :viewer and ${followMessage('l')}
               order by l.ts desc, l.hash desc limit ${FOLLOWS})) u
      where u.fid <> :viewer and ${visibleTo('u.fid', ':viewer', ':appId')}
      group by u.fid
   ), share as (
     select e.domain, p.fid, p.affinity, max(c.ts) as ts
       from circle p
      cross join lateral (
        select c.ts, c.embeds from "cast" c
         where c.fid = p.fid and c.ts > :after::integer and c.ts <= :until::integer
         order by c.ts desc, c.hash desc limit ${CASTS}
      ) c
       ${embeddedDomains('c')}
      where c.embeds <> '[]' and e.domain is not null
      group by e.domain, p.fid, p.affinity
   )
   select s.domain as "domain!", (array_agg(s.fid order by s.affinity desc, a.score desc, s.fid))[1:${ACCOUNTS}] as "fids!"
     from share s
     join catalog_app k on k.domain = s.domain
    cross join lateral (select a.score from account a where a.fid = s.fid and ${accountExists('a')} limit 1) a
    where (:networks?::text[] is null or k.networks is null or k.networks && :networks?::text[])
      and not exists (select from catalog_domain d where d.domain = k.domain and d.placement = 'hidden')
      and ${visibleTo('k.author_fid', ':viewer', ':appId')}
    group by s.domain
    order by sum(1 + s.affinity) desc, max(s.ts) desc, s.domain limit ${MINI_APPS}`,
).rows(
  (
    { appId, viewer }: Audience & { readonly viewer: number },
    friends: readonly BestFriendCursor[],
    filter: { readonly after: number; readonly until: number; readonly networks: readonly string[] | null },
  ) => ({
    viewer,
    appId,
    fids: friends.map((row) => row.fid),
    affinities: friends.map((row) => row.affinity),
    after: filter.after,
    until: filter.until,
    networks: filter.networks,
  }),
);
