import type { Reader } from '../../db/statement.js';
import { MAX_INTEGER } from '../integer.js';
import { fromMicroseconds, inMicroseconds } from '../query/microsecond-time.js';
import { readQuery, searchQuery } from '../query-function.js';
import { audienceTagsOf, CHANNEL_LIST, channelOf, feedOf } from '../tag.js';
import { visibleTo } from '../visibility.js';
import type { AccountInApp, ChannelTimeCursor } from './follow.js';

/** All channels, newest first. @param after the last row of the previous page; undefined: the first page */
export const selectNewestChannels = readQuery(
  'channels_newest',
  `select c.id, ${inMicroseconds('c.created_at')} as "at!"
     from channel c
    where c.gone_at is null and (c.created_at, c.id) < (${fromMicroseconds(':at?')}, :id)
    order by c.created_at desc, c.id desc limit :limit`,
  () => [CHANNEL_LIST],
).rows((after: ChannelTimeCursor | undefined, limit: number) => ({
  at: after?.at ?? null,
  id: after?.id ?? '',
  limit,
}));

/** Position of a channel in the results of a search. */
export interface ChannelSearchCursor {
  readonly id: string;
  /** 0: the id itself, 1: an id that begins with the text, 2: a word of the name does, 3: id or name contain it. */
  readonly tier: number;
  readonly followers: number;
}

const FOLLOWERS = 'greatest(c.listed_follower_count, c.follower_count)';

const search = (name: 'channel_search' | 'channel_search_beginning', matches: string) =>
  searchQuery(
    name,
    `select h.id, h.tier as "tier!", h.followers as "followers!"
       from (select c.id, ${FOLLOWERS} as followers,
                    case when c.id = :text then 0
                         when starts_with(c.id, :text) then 1
                         when strpos(c.search_text, ' ' || btrim(search_text(:text))) > 0 then 2
                         else 3 end as tier
               from channel c where c.gone_at is null and (${matches})) h
      where (h.tier, -h.followers, h.id) > (:afterTier::integer, -:afterFollowers::integer, :afterId)
      order by h.tier, h.followers desc, h.id limit :limit`,
  ).rows();

/**
 * The trigrams of three letters find any part of a word; fewer letters find the beginnings of words alone. In scripts
 * without spaces each letter is a word.
 */
const LETTERS = 3;
const parts = search('channel_search', `c.search_text like '%' || btrim(search_text(:pattern)) || '%'`);
const beginnings = search('channel_search_beginning', `c.search_text like '% ' || btrim(search_text(:pattern)) || '%'`);

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Channels whose id or name contain a text: the id itself, ids and then words of names that begin with it, the rest; each
 * by the number of followers.
 * @param text in NFKC and lower case, not empty
 */
export const searchChannels = (
  db: Reader,
  text: string,
  after: ChannelSearchCursor | undefined,
  limit: number,
): Promise<ChannelSearchCursor[]> =>
  ([...text].length < LETTERS ? beginnings : parts)(db, {
    text,
    pattern: escapeLike(text),
    afterTier: after?.tier ?? -1,
    afterFollowers: after?.followers ?? MAX_INTEGER,
    afterId: after?.id ?? '',
    limit,
  });

/**
 * Channels in which an account cast, the latest cast first. It takes one step in an index for each URL under which the
 * account cast, whatever the number of casts. If the app banned the account, there are none.
 * @returns `at` in protocol seconds
 */
export const selectActiveChannels = readQuery(
  'channels_active',
  `with recursive place(url, ts) as (
     (select c.root_parent_url, c.ts from "cast" c
       where c.fid = :fid and c.root_parent_url is not null
       order by c.root_parent_url, c.ts desc limit 1)
     union all
     select n.root_parent_url, n.ts
       from place p
      cross join lateral (
        select c.root_parent_url, c.ts from "cast" c
         where c.fid = :fid and c.root_parent_url > p.url
         order by c.root_parent_url, c.ts desc limit 1) n
   )
   select h.id, h.at
     from (select u.channel_id as id, max(p.ts) as "at!"
             from place p
            cross join lateral (select u.channel_id from channel_parent_url u where u.url = p.url limit 1) u
            group by u.channel_id) h
    where (h.at < :at::integer or (h.at = :at::integer and h.id > :id)) and ${visibleTo(':fid::bigint', 'null', ':appId')}
    order by h.at desc, h.id limit :limit`,
  ({ fid, appId }, rows) => [
    feedOf(fid),
    CHANNEL_LIST,
    ...rows.map(({ id }) => channelOf(id)),
    ...audienceTagsOf(null, appId),
  ],
).rows(({ fid, appId }: AccountInApp, after: ChannelTimeCursor | undefined, limit: number) => ({
  fid,
  at: after?.at ?? MAX_INTEGER,
  id: after?.id ?? '',
  limit,
  appId,
}));
