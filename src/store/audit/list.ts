import { FOLLOW_SOURCES, listedAccount } from '../query/follow.js';

type Compare = (stored: string, expected: string) => string;

/** As lists read it, without an audience: everybody whom nobody hides. */
const listed = (kind: 'followers' | 'following', owner: string): string => {
  const { from, ofEverybody, person } = FOLLOW_SOURCES[kind];
  return `select ${owner}::text as place, count(*)::text as value
            from ${from} ${listedAccount(person)} where ${ofEverybody} group by ${owner}`;
};

const counted = (column: string): string =>
  `select fid::text as place, ${column}::text as value from account where ${column} <> 0`;

/**
 * Counters against the lists that they count, built from the lists' own SQL: a list that leaves somebody out shows here.
 * @param compare makes a check of stored and expected rows, each (place, value)
 */
export const listChecks = (compare: Compare): Readonly<Record<string, string>> => ({
  'list.followers': compare(counted('follower_count'), listed('followers', 'l.target_fid')),
  'list.following': compare(counted('following_count'), listed('following', 'l.fid')),
  // Who wrote anything is an account for all lists; later messages may go, so that the first may be earlier than these.
  'account.first_ts': compare(
    `select a.fid::text as place, a.first_ts::text as value from account a
      where exists (select from message m where m.fid = a.fid)`,
    `select m.fid::text as place, least(min(m.ts), a.first_ts)::text as value
       from message m left join account a on a.fid = m.fid group by m.fid, a.first_ts`,
  ),
});
