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
export const selectMembers = readQuery<ChannelMemberItem>(
  'channel_members',
  `select m.fid, m.role, m.role_rank as rank, ${inMicroseconds('m.since')} as at
     from channel_member m
    where m.channel_id = $1 and ($2::bigint is null or m.fid = $2)
      and (m.role_rank, m.since, m.fid) > ($3::smallint, timestamptz 'epoch' + $4::bigint * interval '1 microsecond', $5::bigint)
      and ${visibleTo('m.fid', 'null', '$7')}
    order by m.role_rank, m.since, m.fid limit $6`,
  ([id, , , , , , appId]) => [channelOf(id as string), ...audienceTagsOf(null, appId)],
).rows(
  (
    { channelId, fid, appId }: { readonly channelId: string; readonly fid: number | undefined; readonly appId: string },
    after: Omit<ChannelMemberItem, 'role'> | undefined,
    limit: number,
  ) => [channelId, fid ?? null, after?.rank ?? -1, after?.at ?? 0, after?.fid ?? 0, limit, appId],
);

/** Channels of which an account is a member, those that it joined last first; none if the app banned the account. */
export const selectMemberships = readQuery<ChannelTimeCursor & { readonly role: ChannelRole }>(
  'channel_memberships',
  `select m.channel_id as id, m.role, ${inMicroseconds('m.since')} as at
     from channel_member m
    where m.fid = $1
      and m.since <= ${fromMicroseconds('$2')} and (m.since < ${fromMicroseconds('$2')} or m.channel_id > $3)
      and ${visibleTo('m.fid', 'null', '$5')}
    order by m.since desc, m.channel_id limit $4`,
  ([fid, , , , appId]) => [channelsOfAccount(fid as number), ...audienceTagsOf(null, appId)],
).rows(({ fid, appId }: AccountInApp, after: ChannelTimeCursor | undefined, limit: number) => [
  fid,
  after?.at ?? null,
  after?.id ?? '',
  limit,
  appId,
]);

/** Locks a channel until the transaction ends. */
export const lockChannel = writeQuery('lock_channel', 'select from channel where id = $1 for update').done(
  (id: string) => [id],
);

export const selectRole = selectQuery<{ role: ChannelRole }>(
  'select_channel_role',
  'select role from channel_member where channel_id = $1 and fid = $2',
).value('role', (channelId: string, fid: number) => [channelId, fid]);

/** Adds a member, or changes the role of one. */
export const upsertMember = writeQuery(
  'upsert_channel_member',
  `with added as (
     insert into channel_member (channel_id, fid, role, since) values ($1, $2, $3, $4)
     on conflict (channel_id, fid) do update set role = excluded.role
     returning (xmax = 0) as is_new)
   update channel c
      set member_count = c.member_count + 1, listed_member_count = c.listed_member_count + 1
     from added where added.is_new and c.id = $1`,
).done(({ channelId, fid, role, since }: { channelId: string; fid: number; role: ChannelRole; since: Date }) => [
  channelId,
  fid,
  role,
  since,
]);

/** @returns whether the account had this role */
export const deleteMember = writeQuery(
  'delete_channel_member',
  `with removed as (delete from channel_member where channel_id = $1 and fid = $2 and role = $3 returning fid)
   update channel c
      set member_count = c.member_count - 1, listed_member_count = c.listed_member_count - 1
     from removed where c.id = $1
   returning c.id`,
).hasRows((channelId: string, fid: number, role: ChannelRole) => [channelId, fid, role]);

/** @returns the number of moderators and of open invites of moderators, without an invite of this account */
export const selectModeratorCount = selectQuery<{ count: number }>(
  'count_channel_moderators',
  `select (select count(*) from channel_member where channel_id = $1 and role = 'moderator')::integer
        + (select count(*) from channel_invite where channel_id = $1 and role = 'moderator' and fid <> $2)::integer as count`,
).valueOr('count', 0, (channelId: string, fid: number) => [channelId, fid]);
