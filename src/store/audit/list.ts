import { FOLLOW_SOURCES, listedAccount } from '../query/follow.js';
import type { Compare } from './compare.js';

/** Parameters of a list without a viewer, in which no account is hidden. */
const listed = (kind: 'followers' | 'following', owner: string): string => {
  const { from, matchesAll, person } = FOLLOW_SOURCES[kind];
  return `select ${owner}::text as place, count(*)::text as value
            from ${from} ${listedAccount(person)} where ${matchesAll} group by ${owner}`;
};

const counted = (column: string): string =>
  `select fid::text as place, ${column}::text as value from account where ${column} <> 0`;

/**
 * Compares counters with the lists that they count, using the lists' own SQL, to find accounts that a list leaves out.
 */
export const listChecks = (compare: Compare): Readonly<Record<string, string>> => ({
  'list.followers': compare(counted('follower_count'), listed('followers', 'l.target_fid')),
  'list.following': compare(counted('following_count'), listed('following', 'l.fid')),
  // Every author is an account. Its first timestamp may be earlier than those of its remaining messages.
  'account.first_ts': compare(
    `select a.fid::text as place, a.first_ts::text as value from account a
      where exists (select from message m where m.fid = a.fid)`,
    `select m.fid::text as place, least(min(m.ts), a.first_ts)::text as value
       from message m left join account a on a.fid = m.fid group by m.fid, a.first_ts`,
  ),
});
