import type { Compare } from './compare.js';
/**
 * Compares the counters and owners of channels with the rows that they count.
 */
export const channelChecks = (compare: Compare): Readonly<Record<string, string>> => ({
  'channel.follower_count': compare(
    'select id as place, follower_count::text as value from channel where follower_count <> 0',
    'select channel_id as place, count(*)::text as value from channel_follow group by channel_id',
  ),
  'channel.member_count': compare(
    'select id as place, member_count::text as value from channel where member_count <> 0',
    'select channel_id as place, count(*)::text as value from channel_member group by channel_id',
  ),
  'channel_member.owner': compare(
    "select channel_id as place, string_agg(fid::text, ' ' order by fid) as value from channel_member where role = 'owner' group by channel_id",
    'select id as place, lead_fid::text as value from channel where lead_fid is not null',
  ),
  // Of those who have a role, only members are invited, to moderate.
  channel_invite: compare(
    `select i.channel_id || ' ' || i.fid as place, i.role as value
       from channel_invite i join channel_member m on m.channel_id = i.channel_id and m.fid = i.fid
      where not (m.role = 'member' and i.role = 'moderator')`,
    'select null as place, null as value where false',
  ),
  channel_parent_url: compare(
    'select c.id as place, u.channel_id as value from channel c left join channel_parent_url u on u.url = c.parent_url',
    'select id as place, id as value from channel',
  ),
});
