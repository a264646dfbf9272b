import { type Reader, statement } from '../database.js';
import { existingAccount, followApp, followKey, followMessage, followsBack, listedAccount } from './follow.js';
import { type Audience, visibleTo } from '../visibility.js';

/** How many of an account's own follows, the newest, are looked at for those that follow somebody else too. */
const FOLLOWS = 2500;
/** Most accounts in one answer, which has no pages. */
const RELEVANT = 1000;

/** A follower of one account that another account follows. */
export interface RelevantFollowerRow {
  readonly fid: number;
  /** Fid of the app that the follow was signed through; null: not known. */
  readonly app_fid: number | null;
}

const relevantFollowers = statement<RelevantFollowerRow>(
  'follow_relevant',
  `select p.fid, app.request_fid as app_fid
     from (select s.fid, s.ts, s.hash, s.score
             from (select f.fid, b.ts, b.hash, a.score
                     from (select l.target_fid as fid from message l
                            where l.fid = $1 and ${followMessage('l')}
                            order by l.ts desc, l.hash desc limit ${FOLLOWS}) f
                     ${followsBack('f.fid', '$3')}
                     ${listedAccount('f.fid')}
                    order by a.score desc, b.ts desc, f.fid) s
            where ${visibleTo('s.fid', '$1', '$2')}
            order by s.score desc, s.ts desc, s.fid limit ${RELEVANT}) p
     ${followApp('p.fid', 'p')}
    order by p.score desc, p.ts desc, p.fid`,
);

/**
 * Followers of an account that the viewer follows, the highest score first: among the newest 2,500 accounts that the
 * viewer follows, and 1,000 at most, so that a viewer who follows everybody waits no longer than others.
 */
export const selectRelevantFollowers = (
  db: Reader,
  targetFid: number,
  { appId, viewer }: Audience & { readonly viewer: number },
): Promise<RelevantFollowerRow[]> => db.read(relevantFollowers, [viewer, appId, followKey(targetFid)]);

/** How many of the accounts that an account follows are asked whom they follow, and how much each of them may say. */
const NEIGHBOURS = 100;
const FOLLOWS_OF_NEIGHBOUR = 100;

const suggestions = statement<{ fid: number }>(
  'follow_suggestion',
  `with own as materialized (
     select l.target_fid as fid, l.ts, l.hash from message l where l.fid = $1 and ${followMessage('l')}
   ), candidate as materialized (
     select e.fid, count(*) as follows
       from (select own.fid from own order by own.ts desc, own.hash desc limit ${NEIGHBOURS}) n
      cross join lateral (
        select l.target_fid as fid from message l
         where l.fid = n.fid and ${followMessage('l')}
         order by l.ts desc, l.hash desc limit ${FOLLOWS_OF_NEIGHBOUR}
      ) e
      where e.fid <> $1 and not exists (select from own where own.fid = e.fid)
      group by e.fid
   )
   select s.fid
     from (select c.fid, c.follows, a.score
             from candidate c ${existingAccount('c.fid')}
            order by c.follows desc, a.score desc, c.fid) s
    where ${visibleTo('s.fid', '$2', '$3')} and ${visibleTo('s.fid', '$1', '$3')}
    order by s.follows desc, s.score desc, s.fid
    limit $4`,
);

/**
 * Accounts to follow: those that most of the accounts follow that this one follows, the higher score first among
 * equals. Looked at are the newest 100 follows of each of the newest 100 that the account follows: at most 10,000
 * rows, however many they follow. Left out are the account itself, whom it follows already, and whom it or the
 * audience does not see.
 */
export const selectFollowSuggestions = async (
  db: Reader,
  fid: number,
  { appId, viewer }: Audience,
  limit: number,
): Promise<number[]> => (await db.read(suggestions, [fid, viewer, appId, limit])).map((row) => row.fid);
