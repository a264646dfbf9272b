import { selectQuery, writeQuery } from '../query-function.js';
import { columnList } from '../table.js';
import type { Tables } from '../tables.js';
import type { ChannelDescription } from './write.js';

const COLUMNS = [
  'id',
  'parent_url',
  'url',
  'name',
  'description',
  'description_mentions',
  'description_mention_positions',
  'image_url',
  'header_image_url',
  'external_link_title',
  'external_link_url',
  'lead_fid',
  'pinned_cast_hash',
  'public_casting',
  'listed_follower_count',
  'listed_member_count',
  'source',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Tables['channel'])[];

/** Locks a channel until the transaction ends. @returns what its source says about it; undefined: it is not stored */
export const selectDescription = writeQuery<ChannelDescription>(
  'select_channel_description',
  `select ${columnList(COLUMNS)} from channel where id = $1 for update`,
).first((id: string) => [id]);

/** @param ids of the channels; null: all. @returns the next channels in the order of their ids */
export const selectDescriptions = selectQuery<ChannelDescription>(
  'select_channel_descriptions',
  `select ${columnList(COLUMNS)} from channel
    where id > $1 and ($2::text[] is null or id = any($2)) order by id limit $3`,
).rows((ids: readonly string[] | null, after: string, limit: number) => [after, ids, limit]);

export const selectMembersAfter = selectQuery<Pick<Tables['channel_member'], 'fid' | 'role' | 'since'>>(
  'select_all_channel_members',
  'select fid, role, since from channel_member where channel_id = $1 and fid > $2 order by fid limit $3',
).rows((id: string, after: number, limit: number) => [id, after, limit]);

export const selectFollowsAfter = selectQuery<{ fid: number; followedAt: Date }>(
  'select_all_channel_follows',
  `select fid, followed_at as "followedAt" from channel_follow where channel_id = $1 and fid > $2 order by fid limit $3`,
).rows((id: string, after: number, limit: number) => [id, after, limit]);

export const selectMembersOf = selectQuery<Pick<Tables['channel_member'], 'fid' | 'role' | 'since'>>(
  'select_ranked_channel_members',
  'select fid, role, since from channel_member where channel_id = $1 order by role_rank, since, fid limit $2',
).rows((id: string, limit: number) => [id, limit]);

/** A channel as the list of the command line shows it. */
export interface ChannelSummary {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly leadFid: number | null;
  readonly followers: number;
  readonly members: number;
  readonly createdAt: Date;
  readonly isGone: boolean;
}

/** @returns the newest channels. @param source keeps those of one source; undefined: all */
export const selectSummaries = selectQuery<ChannelSummary>(
  'select_channel_summaries',
  `select id, name, source, lead_fid as "leadFid", greatest(listed_follower_count, follower_count) as followers,
          greatest(listed_member_count, member_count) as members, created_at as "createdAt",
          gone_at is not null as "isGone"
     from channel where $1::text is null or source = $1 order by created_at desc, id desc limit $2`,
).rows((source: string | undefined, limit: number) => [source ?? null, limit]);

export const selectInvitesOf = selectQuery<{ fid: number; role: string; inviterFid: number; invitedAt: Date }>(
  'select_channel_invites_of',
  `select fid, role, inviter_fid as "inviterFid", invited_at as "invitedAt" from channel_invite
    where channel_id = $1 order by invited_at desc, fid limit $2`,
).rows((id: string, limit: number) => [id, limit]);

export const selectRestrictionsOf = selectQuery<Pick<Tables['channel_restriction'], 'fid' | 'kind' | 'since'>>(
  'select_channel_restrictions_of',
  'select fid, kind, since from channel_restriction where channel_id = $1 order by since desc, fid limit $2',
).rows((id: string, limit: number) => [id, limit]);
