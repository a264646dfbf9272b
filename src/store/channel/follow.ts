import { MessageType } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import { followKey, followMessage, listedAccount } from '../query/follow.js';
import { fromMicroseconds, inMicroseconds, type TimeCursor } from '../query/microsecond-time.js';
import { readQuery, selectQuery, writeQuery, writeRows } from '../query-function.js';
import { audienceTagsOf, channelOf, channelsOfAccount } from '../tag.js';
import { type Audience, visibleTo } from '../visibility.js';

const countFollow = (change: 1 | -1, written: string): string => `
  with written as (${written} returning channel_id)
  update channel c
     set follower_count = c.follower_count + ${change},
         listed_follower_count = c.listed_follower_count + ${change}
    from written w where c.id = w.channel_id
  returning c.id`;

/** @returns whether the account did not follow the channel before */
export const insertChannelFollow = writeQuery(
  'insert_channel_follow',
  countFollow(
    1,
    'insert into channel_follow (channel_id, fid, followed_at) values (:channelId, :fid, :at) on conflict do nothing',
  ),
).hasRows((channelId: string, fid: number, at: Date) => ({ channelId, fid, at }));

/** @returns whether the account followed the channel before */
export const deleteChannelFollow = writeQuery(
  'delete_channel_follow',
  countFollow(-1, 'delete from channel_follow where channel_id = :channelId and fid = :fid'),
).hasRows((channelId: string, fid: number) => ({ channelId, fid }));

/** Adds many follows; those that are stored already keep their time. */
export const insertChannelFollows = writeRows(
  'insert_channel_follows',
  { channel_id: 'text', fid: 'bigint', followed_at: 'timestamptz' },
  (rows) => `with written as (
     insert into channel_follow (channel_id, fid, followed_at) ${rows} on conflict do nothing returning channel_id),
   counted as (select channel_id, count(*) as follows from written group by channel_id)
   update channel c
      set follower_count = c.follower_count + n.follows, listed_follower_count = c.listed_follower_count + n.follows
     from counted n where c.id = n.channel_id`,
).done((rows: readonly { readonly channelId: string; readonly fid: number; readonly followedAt: Date }[]) => [rows]);

/** @returns whether the account `fid` follows the channel, or the account that invites it */
export const isFollowed = selectQuery(
  'select_is_channel_or_account_followed',
  `select 1 where exists (select from channel_follow where channel_id = :channelId and fid = :fid)
      or exists (select from message m where m.fid = :fid and m.message_set = ${MessageSet.link} and m.key = :inviterFid
                    and m.type = ${MessageType.LINK_ADD} and not m.void)`,
).hasRows(
  ({
    channelId,
    fid,
    inviterFid,
  }: {
    readonly channelId: string;
    readonly fid: number;
    readonly inviterFid: number;
  }) => ({ channelId, fid, inviterFid: followKey(inviterFid) }),
);

/**
 * Followers of a channel that the audience may see, the newest follow first.
 * @param after the last row of the previous page; undefined: the first page
 */
export const selectChannelFollowers = readQuery(
  'channel_followers',
  `select f.fid, ${inMicroseconds('f.followed_at')} as "at!"
     from channel_follow f
    where f.channel_id = :channelId and (f.followed_at, f.fid) < (${fromMicroseconds(':at?')}, :fid::bigint)
      and ${visibleTo('f.fid', ':viewer?', ':appId')}
    order by f.followed_at desc, f.fid desc limit :limit`,
  ({ channelId: id, viewer, appId }) => [channelOf(id), ...audienceTagsOf(viewer, appId)],
).rows((channelId: string, { viewer, appId }: Audience, after: TimeCursor | undefined, limit: number) => ({
  channelId,
  viewer,
  appId,
  at: after?.at ?? null,
  fid: after?.fid ?? 0,
  limit,
}));

/** Maximum of a viewer's newest follows that are looked at, and of accounts in the response, which has no pages. */
const FOLLOWS = 2500;
const RELEVANT = 1000;

/**
 * Followers of a channel that the viewer follows, the highest score first: at most 1,000, among the newest 2,500
 * accounts that the viewer follows.
 */
export const selectRelevantChannelFollowers = readQuery(
  'channel_relevant_followers',
  `select s.fid
     from (select c.fid, c.followed_at, a.score
             from (select l.target_fid as fid from message l
                    where l.fid = :viewer and ${followMessage('l')}
                    order by l.ts desc, l.hash desc limit ${FOLLOWS}) l
             join channel_follow c on c.channel_id = :channelId and c.fid = l.fid
             ${listedAccount('c.fid')}
            order by a.score desc, c.followed_at desc, c.fid) s
    where ${visibleTo('s.fid', ':viewer', ':appId')}
    order by s.score desc, s.followed_at desc, s.fid limit ${RELEVANT}`,
).column('fid', (channelId: string, { viewer, appId }: Audience & { readonly viewer: number }) => ({
  channelId,
  viewer,
  appId,
}));

/** A position in a list of channels by time, newest first; `at` in Unix microseconds. */
export interface ChannelTimeCursor {
  readonly id: string;
  readonly at: number;
}

/** An account whose channels an app lists. */
export interface AccountInApp {
  readonly fid: number;
  /** The calling app; of an account that it banned nothing is listed. */
  readonly appId: string;
}

/** Channels that an account follows, the newest follow first; none if the app banned the account. */
export const selectFollowedChannels = readQuery(
  'channels_followed',
  `select f.channel_id as id, ${inMicroseconds('f.followed_at')} as "at!"
     from channel_follow f
    where f.fid = :fid
      and f.followed_at <= ${fromMicroseconds(':at?')} and (f.followed_at < ${fromMicroseconds(':at?')} or f.channel_id > :id)
      and ${visibleTo('f.fid', 'null', ':appId')}
    order by f.followed_at desc, f.channel_id limit :limit`,
  ({ fid, appId }) => [channelsOfAccount(fid), ...audienceTagsOf(null, appId)],
).rows(({ fid, appId }: AccountInApp, after: ChannelTimeCursor | undefined, limit: number) => ({
  fid,
  at: after?.at ?? null,
  id: after?.id ?? '',
  limit,
  appId,
}));

/** An account and a channel. */
export interface AccountAndChannel {
  readonly fid: number;
  readonly id: string;
}

/** What an account is to a channel; null: no member. */
export interface ChannelRelationRow extends AccountAndChannel {
  readonly following: boolean;
  readonly role: 'owner' | 'moderator' | 'member' | null;
}

/** @returns one row for each pair */
export const selectChannelRelations = readQuery(
  'channel_relations',
  `select k.fid as "fid!", k.id as "id!", f.fid is not null as "following!", m.role
     from unnest(:fids::bigint[], :ids::text[]) as k(fid, id)
     left join lateral (
       select fid from channel_follow where channel_id = k.id and channel_follow.fid = k.fid limit 1) f on true
     left join lateral (
       select role from channel_member where channel_id = k.id and channel_member.fid = k.fid limit 1) m on true`,
  ({ fids }) => [...new Set(fids)].map(channelsOfAccount),
).rows((pairs: readonly AccountAndChannel[]) => ({
  fids: pairs.map(({ fid }) => fid),
  ids: pairs.map(({ id }) => id),
}));
