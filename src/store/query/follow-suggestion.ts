import { readQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';
import { existingAccount, followApp, followKey, followMessage, followsBack, listedAccount } from './follow.js';

/** Maximum of an account's newest follows that are read to find those who follow another account. */
const FOLLOWS = 2500;
/** Maximum of accounts in a response, which has no pages. */
const RELEVANT = 1000;

/**
 * Followers of an account that the viewer follows, the highest score first: at most 1,000, among the newest 2,500
 * accounts that the viewer follows, so that the work is bounded for viewers who follow many. `appFid` is the app that
 * signed the follow; null: unknown.
 */
export const selectRelevantFollowers = readQuery(
  'follow_relevant',
  `select p.fid as "fid!", app.request_fid as "appFid"
     from (select s.fid, s.ts, s.hash, s.score
             from (select f.fid, b.ts, b.hash, a.score
                     from (select l.target_fid as fid from message l
                            where l.fid = :viewer and ${followMessage('l')}
                            order by l.ts desc, l.hash desc limit ${FOLLOWS}) f
                     ${followsBack('f.fid', ':key')}
                     ${listedAccount('f.fid')}
                    order by a.score desc, b.ts desc, f.fid) s
            where ${visibleTo('s.fid', ':viewer', ':appId')}
            order by s.score desc, s.ts desc, s.fid limit ${RELEVANT}) p
     ${followApp('p.fid', 'p')}
    order by p.score desc, p.ts desc, p.fid`,
).rows((targetFid: number, { appId, viewer }: Audience & { readonly viewer: number }) => ({
  viewer,
  appId,
  key: followKey(targetFid),
}));

/** Maximum of followed accounts whose follows are read, and of follows read for each of them. */
const NEIGHBOURS = 100;
const FOLLOWS_OF_NEIGHBOUR = 100;

/**
 * Suggests accounts to follow: those followed by most of the accounts that this account follows, the higher score first
 * among equals. It reads the newest 100 follows of each of the newest 100 followed accounts, at most 10,000 rows. The
 * account itself, those it already follows, and those hidden from it or the audience are left out.
 */
export const selectFollowSuggestions = readQuery(
  'follow_suggestion',
  `with own as materialized (
     select l.target_fid as fid, l.ts, l.hash from message l where l.fid = :fid and ${followMessage('l')}
   ), candidate as materialized (
     select e.fid, count(*) as follows
       from (select own.fid from own order by own.ts desc, own.hash desc limit ${NEIGHBOURS}) n
      cross join lateral (
        select l.target_fid as fid from message l
         where l.fid = n.fid and ${followMessage('l')}
         order by l.ts desc, l.hash desc limit ${FOLLOWS_OF_NEIGHBOUR}
      ) e
      where e.fid <> :fid and not exists (select from own where own.fid = e.fid)
      group by e.fid
   )
   select s.fid as "fid!"
     from (select c.fid, c.follows, a.score
             from candidate c ${existingAccount('c.fid')}
            order by c.follows desc, a.score desc, c.fid) s
    where ${visibleTo('s.fid', ':viewer?', ':appId')} and ${visibleTo('s.fid', ':fid', ':appId')}
    order by s.follows desc, s.score desc, s.fid
    limit :limit`,
).column('fid', (fid: number, { appId, viewer }: Audience, limit: number) => ({ fid, viewer, appId, limit }));
