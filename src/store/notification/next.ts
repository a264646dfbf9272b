import { readQuery } from '../query-function.js';
import { followersOf, repliesAndReactionsTo } from '../tag.js';

const first = (from: string): string => `(${from} and s.ts > :horizon::integer order by s.ts limit 1)`;

// For a group of reactions, the first one after the horizon counts, not the latest.
/**
 * @param horizon protocol seconds
 * @returns protocol seconds of the first stored event about an account after the horizon, by any author (it may cause
 *   no notification); null: there is none
 */
export const selectNextNotification = readQuery(
  'notification_next',
  `select least(
     ${first('select s.ts from cast_reply s where s.notified_fid = :fid')},
     ${first('select s.ts from cast_quote s where s.notified_fid = :fid')},
     ${first('select s.ts from cast_mention s where s.notified_fid = :fid')},
     ${first('select s.ts from link s where s.target_fid = :fid and s.type = 1')},
     (select min(r.ts) from reaction_group g
       cross join lateral ${first(
         'select s.ts from reaction s where s.target_fid = :fid and s.target_hash = g.target_hash and s.type = g.type',
       )} r
       where g.target_fid = :fid and g.latest_ts > :horizon::integer)
   ) as ts`,
  ({ fid }) => [repliesAndReactionsTo(fid), followersOf(fid)],
).valueOr('ts', null, (fid: number, horizon: number) => ({ fid, horizon }));
