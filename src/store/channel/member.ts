import { fromMicroseconds, inMicroseconds } from '../query/microsecond-time.js';
import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import type { Tables } from '../tables.js';
import { audienceTagsOf, channelOf, channelsOfAccount } from '../tag.js';
import { visibleTo } from '../visibility.js';
import type { AccountInApp, ChannelTimeCursor } from './follow.js';

export type ChannelRole = Tables['channel_member']['role'];

/** A member of a channel and its position in the list: owner, moderators, members; each by the time they joined. */
export interface ChannelMemberItem {
  readonly fid: number;
  readonly role: ChannelRole;
  /** 0 owner, 1 moderator, 2 member. */
  readonly rank: number;
  /** Unix microseconds. */
  readonly at: number;
}

/**
 * Members of a channel whom the app did not ban.
 * @param fid keeps this account alone; undefined: all
 * @param after the last row of the previous page; undefined: the first page
 */
export const selectMembers = readQuery(
  'channel_members',
  `select m.fid, m.role, m.role_rank as rank, ${inMicroseconds('m.since')} as "at!"
     from channel_member m
    where m.channel_id = :channelId and (:fid?::bigint is null or m.fid = :fid?)
      and (m.role_rank, m.since, m.fid) > (:afterRank::smallint, timestamptz 'epoch' + :afterAt::bigint * interval '1 microsecond', :afterFid::bigint)
      and ${visibleTo('m.fid', 'null', ':appId')}
    order by m.role_rank, m.since, m.fid limit :limit`,
  ({ channelId, appId }) => [channelOf(channelId), ...audienceTagsOf(null, appId)],
).rows(
  (
    { channelId, fid, appId }: { readonly channelId: string; readonly fid: number | undefined; readonly appId: string },
    after: Omit<ChannelMemberItem, 'role'> | undefined,
    limit: number,
  ) => ({
    channelId,
    fid: fid ?? null,
    afterRank: after?.rank ?? -1,
    afterAt: after?.at ?? 0,
    afterFid: after?.fid ?? 0,
    limit,
    appId,
  }),
);

/** Channels of which an account is a member, those that it joined last first; none if the app banned the account. */
export const selectMemberships = readQuery(
  'channel_memberships',
  `select m.channel_id as id, m.role, ${inMicroseconds('m.since')} as "at!"
     from channel_member m
    where m.fid = :fid
      and m.since <= ${fromMicroseconds(':at?')} and (m.since < ${fromMicroseconds(':at?')} or m.channel_id > :id)
      and ${visibleTo('m.fid', 'null', ':appId')}
    order by m.since desc, m.channel_id limit :limit`,
  ({ fid, appId }) => [channelsOfAccount(fid), ...audienceTagsOf(null, appId)],
).rows(({ fid, appId }: AccountInApp, after: ChannelTimeCursor | undefined, limit: number) => ({
  fid,
  at: after?.at ?? null,
  id: after?.id ?? '',
  limit,
  appId,
}));

/** Locks a channel until the transaction ends. */
export const lockChannel = writeQuery('lock_channel', 'select from channel where id = :id for update').done(
  (id: string) => ({ id }),
);

export const selectRole = selectQuery(
  'select_channel_role',
  'select role from channel_member where channel_id = :channelId and fid = :fid',
).value('role', (channelId: string, fid: number) => ({ channelId, fid }));

/** Adds a member, or changes the role of one. */
export const upsertMember = writeQuery(
  'upsert_channel_member',
  `with added as (
     insert into channel_member (channel_id, fid, role, since) values (:channelId, :fid, :role, :since)
     on conflict (channel_id, fid) do update set role = excluded.role
     returning (xmax = 0) as is_new)
   update channel c
      set member_count = c.member_count + 1, listed_member_count = c.listed_member_count + 1
     from added where added.is_new and c.id = :channelId`,
).done(({ channelId, fid, role, since }: { channelId: string; fid: number; role: ChannelRole; since: Date }) => ({
  channelId,
  fid,
  role,
  since,
}));

/** @returns whether the account had this role */
export const deleteMember = writeQuery(
  'delete_channel_member',
  `with removed as (delete from channel_member where channel_id = :channelId and fid = :fid and role = :role returning fid)
   update channel c
      set member_count = c.member_count - 1, listed_member_count = c.listed_member_count - 1
     from removed where c.id = :channelId
   returning c.id`,
).hasRows((channelId: string, fid: number, role: ChannelRole) => ({ channelId, fid, role }));

/** @returns the number of moderators and of open invites of moderators, without an invite of this account */
export const selectModeratorCount = selectQuery(
  'count_channel_moderators',
  `select (select count(*) from channel_member where channel_id = :channelId and role = 'moderator')::integer
        + (select count(*) from channel_invite where channel_id = :channelId and role = 'moderator' and fid <> :fid)::integer as "count!"`,
).valueOr('count', 0, (channelId: string, fid: number) => ({ channelId, fid }));
