import { execute, type Reader, type Session, sql, statement } from '../../db/statement.js';
import { fromMicroseconds, inMicroseconds } from '../query/microsecond-time.js';
import { first, hasRows } from '../table.js';
import type { Tables } from '../tables.js';
import { channelOf, channelsOfAccount } from '../tag.js';
import type { ChannelTimeCursor } from './follow.js';

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

const members = statement<ChannelMemberItem>(
  'channel_members',
  `select m.fid, m.role, m.role_rank as rank, ${inMicroseconds('m.since')} as at
     from channel_member m
    where m.channel_id = $1 and ($2::bigint is null or m.fid = $2)
      and (m.role_rank, m.since, m.fid) > ($3::smallint, timestamptz 'epoch' + $4::bigint * interval '1 microsecond', $5::bigint)
    order by m.role_rank, m.since, m.fid limit $6`,
  ([id]) => [channelOf(id as string)],
);

/**
 * @param fid keeps this account alone; undefined: all
 * @param after the last row of the previous page; undefined: the first page
 */
export const selectMembers = (
  db: Reader,
  channelId: string,
  fid: number | undefined,
  after: Omit<ChannelMemberItem, 'role'> | undefined,
  limit: number,
): Promise<ChannelMemberItem[]> =>
  db.read(members, [channelId, fid ?? null, after?.rank ?? -1, after?.at ?? 0, after?.fid ?? 0, limit]);

const memberships = statement<ChannelTimeCursor & { readonly role: ChannelRole }>(
  'channel_memberships',
  `select m.channel_id as id, m.role, ${inMicroseconds('m.since')} as at
     from channel_member m
    where m.fid = $1
      and m.since <= ${fromMicroseconds('$2')} and (m.since < ${fromMicroseconds('$2')} or m.channel_id > $3)
    order by m.since desc, m.channel_id limit $4`,
  ([fid]) => [channelsOfAccount(fid as number)],
);

/** Channels of which an account is a member, those that it joined last first. */
export const selectMemberships = (
  db: Reader,
  fid: number,
  after: ChannelTimeCursor | undefined,
  limit: number,
): Promise<(ChannelTimeCursor & { readonly role: ChannelRole })[]> =>
  db.read(memberships, [fid, after?.at ?? null, after?.id ?? '', limit]);

/** What decides what accounts may do in a channel. */
export interface LockedChannel {
  readonly id: string;
  readonly lead_fid: number | null;
  readonly source: Tables['channel']['source'];
}

const lockChannelSql = sql<LockedChannel>(
  'lock_channel',
  'select id, lead_fid, source from channel where id = $1 for update',
);

/** Locks a channel until the transaction ends. @returns undefined if it is not stored */
export const lockChannel = (session: Session, id: string): Promise<LockedChannel | undefined> =>
  first(session.run(lockChannelSql, [id]));

const roleSql = sql<{ role: ChannelRole }>(
  'select_channel_role',
  'select role from channel_member where channel_id = $1 and fid = $2',
);

export const selectRole = async (session: Session, channelId: string, fid: number): Promise<ChannelRole | undefined> =>
  (await first(session.select(roleSql, [channelId, fid])))?.role;

const upsertMemberSql = sql(
  'upsert_channel_member',
  `with added as (
     insert into channel_member (channel_id, fid, role, since) values ($1, $2, $3, $4)
     on conflict (channel_id, fid) do update set role = excluded.role
     returning (xmax = 0) as is_new)
   update channel c
      set member_count = c.member_count + 1, listed_member_count = c.listed_member_count + 1
     from added where added.is_new and c.id = $1`,
);

/** Adds a member, or changes the role of one. */
export const upsertMember = (
  session: Session,
  { channelId, fid, role, since }: { channelId: string; fid: number; role: ChannelRole; since: Date },
): Promise<void> => execute(session, upsertMemberSql, [channelId, fid, role, since]);

const deleteMemberSql = sql(
  'delete_channel_member',
  `with removed as (delete from channel_member where channel_id = $1 and fid = $2 and role = $3 returning fid)
   update channel c
      set member_count = c.member_count - 1,
          listed_member_count = case when c.listed_member_count is not null then greatest(c.listed_member_count - 1, 0) end
     from removed where c.id = $1
   returning c.id`,
);

/** @returns whether the account had this role */
export const deleteMember = (session: Session, channelId: string, fid: number, role: ChannelRole): Promise<boolean> =>
  hasRows(session.run(deleteMemberSql, [channelId, fid, role]));

const moderatorsSql = sql<{ count: number }>(
  'count_channel_moderators',
  `select (select count(*) from channel_member where channel_id = $1 and role = 'moderator')::integer
        + (select count(*) from channel_invite where channel_id = $1 and role = 'moderator' and fid <> $2)::integer as count`,
);

/** @returns the number of moderators and of open invites of moderators, without an invite of this account */
export const selectModeratorCount = async (session: Session, channelId: string, fid: number): Promise<number> =>
  (await first(session.select(moderatorsSql, [channelId, fid])))?.count ?? 0;
