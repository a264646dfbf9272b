import { selectQuery, writeQuery } from '../query-function.js';

const COLUMNS = `id, parent_url as "parentUrl", url, name, description, description_mentions as "descriptionMentions",
  description_mention_positions as "descriptionMentionPositions", image_url as "imageUrl",
  header_image_url as "headerImageUrl", external_link_title as "externalLinkTitle",
  external_link_url as "externalLinkUrl", lead_fid as "leadFid", pinned_cast_hash as "pinnedCastHash",
  public_casting as "publicCasting", listed_follower_count as "listedFollowerCount",
  listed_member_count as "listedMemberCount", source, created_at as "createdAt", updated_at as "updatedAt"`;

/** Locks a channel until the transaction ends. @returns what its source says about it; undefined: it is not stored */
export const selectDescription = writeQuery(
  'select_channel_description',
  `select ${COLUMNS} from channel where id = :id for update`,
).first((id: string) => ({ id }));

/** @param ids of the channels; null: all. @returns the next channels in the order of their ids */
export const selectDescriptions = selectQuery(
  'select_channel_descriptions',
  `select ${COLUMNS} from channel
    where id > :after and (:ids?::text[] is null or id = any(:ids?)) order by id limit :limit`,
).rows((ids: readonly string[] | null, after: string, limit: number) => ({ after, ids, limit }));

export const selectMembersAfter = selectQuery(
  'select_all_channel_members',
  'select fid, role, since from channel_member where channel_id = :id and fid > :after order by fid limit :limit',
).rows((id: string, after: number, limit: number) => ({ id, after, limit }));

export const selectFollowsAfter = selectQuery(
  'select_all_channel_follows',
  `select fid, followed_at as "followedAt" from channel_follow where channel_id = :id and fid > :after order by fid limit :limit`,
).rows((id: string, after: number, limit: number) => ({ id, after, limit }));

export const selectMembersOf = selectQuery(
  'select_ranked_channel_members',
  'select fid, role, since from channel_member where channel_id = :id order by role_rank, since, fid limit :limit',
).rows((id: string, limit: number) => ({ id, limit }));

/** @returns the newest channels. @param source keeps those of one source; undefined: all */
export const selectSummaries = selectQuery(
  'select_channel_summaries',
  `select id, name, source, lead_fid as "leadFid", greatest(listed_follower_count, follower_count) as "followers!",
          greatest(listed_member_count, member_count) as "members!", created_at as "createdAt",
          gone_at is not null as "isGone!"
     from channel where :source?::text is null or source = :source? order by created_at desc, id desc limit :limit`,
).rows((source: string | undefined, limit: number) => ({ source: source ?? null, limit }));

export const selectInvitesOf = selectQuery(
  'select_channel_invites_of',
  `select fid, role, inviter_fid as "inviterFid", invited_at as "invitedAt" from channel_invite
    where channel_id = :id order by invited_at desc, fid limit :limit`,
).rows((id: string, limit: number) => ({ id, limit }));

export const selectRestrictionsOf = selectQuery(
  'select_channel_restrictions_of',
  'select fid, kind, since from channel_restriction where channel_id = :id order by since desc, fid limit :limit',
).rows((id: string, limit: number) => ({ id, limit }));
