import type { Session } from '../../db/statement.js';
import { readRows, selectQuery, writeQuery } from '../query-function.js';
import { type ChannelDescription, DESCRIBED, DESCRIBED_NAMES, settleMembers } from './write.js';

/** What a list of a client changes about one channel. */
export interface ChannelChange {
  readonly id: string;
  /** Another channel that has the parent URL already. */
  readonly holder: string | null;
  /** Whether lists of channels show it from now on, or at another place. */
  readonly isMoved: boolean;
  readonly hasNewUrl: boolean;
  /** The lead until now; undefined or null: there was none. */
  readonly formerLead: number | null;
  readonly hasNewLead: boolean;
}

const columns = (alias: string): string => DESCRIBED_NAMES.map((name) => `${alias}.${name}`).join(', ');

// Channels of this server and of the protocol stay as they are.
/**
 * Compares a client's list with what is stored.
 * @returns the channels that are new or different; those of which the client does not decide are left out
 */
export const selectChannelChanges = readRows(
  'select_mirrored_channel_changes',
  { id: 'text', ...DESCRIBED },
  (rows) => `select r.id as "id!", u.channel_id as holder, c.lead_fid as "formerLead",
       c.id is null or c.gone_at is not null or c.created_at <> r.created_at as "isMoved!",
       c.id is null or c.parent_url <> r.parent_url or c.url <> r.url as "hasNewUrl!",
       c.lead_fid is distinct from r.lead_fid as "hasNewLead!"
  from (${rows}) r
  left join channel c on c.id = r.id
  left join channel_parent_url u on u.url = r.parent_url and u.channel_id <> r.id
 where coalesce(c.source, 'client') in ('file', 'client')
   and (c.id is null or c.gone_at is not null or (${columns('c')}) is distinct from (${columns('r')}))`,
).rows((rows: readonly ChannelDescription[]) => [rows]);

/** An account that became moderator of a channel, or no longer is one. */
export interface ModeratorChange {
  readonly id: string;
  readonly fid: number;
}

const addModerators = writeQuery(
  'insert_mirrored_moderators',
  `insert into channel_member (channel_id, fid, role, since)
   select distinct k.channel_id, k.fid, 'moderator', c.created_at
     from unnest(:channelIds::text[], :fids::bigint[]) as k(channel_id, fid)
     join channel c on c.id = k.channel_id and c.source = 'client' and c.lead_fid is distinct from k.fid
     left join channel_member m on m.channel_id = k.channel_id and m.fid = k.fid
    where m.role is distinct from 'moderator'
   on conflict (channel_id, fid) do update set role = 'moderator'
   returning channel_id as "id!", fid as "fid!"`,
).rows();
// Who is no longer a moderator remains a member until the members are read.
const demoteModerators = writeQuery(
  'demote_mirrored_moderators',
  `update channel_member m set role = 'member'
     from channel c
    where m.channel_id = any(:ids::text[]) and m.role_rank = 1 and c.id = m.channel_id and c.source = 'client'
      and not exists (
        select from unnest(:channelIds::text[], :fids::bigint[]) as k(channel_id, fid)
         where k.channel_id = m.channel_id and k.fid = m.fid)
   returning m.channel_id as id, m.fid`,
).rows();

/** Makes these accounts the moderators of the mirrored channels among `ids`. @returns what changed */
export const setModerators = async (
  session: Session,
  ids: readonly string[],
  moderators: readonly { readonly channelId: string; readonly fid: number }[],
): Promise<ModeratorChange[]> => {
  const pairs = { channelIds: moderators.map((row) => row.channelId), fids: moderators.map(({ fid }) => fid) };
  const demoted = await demoteModerators(session, { ...pairs, ids });
  const added = await addModerators(session, pairs);
  if (added.length > 0) await settleMembers(session, [...new Set(added.map(({ id }) => id))]);
  return [...demoted, ...added];
};

/** @returns the ids of the channels that were in the client's list when it was last read */
export const selectMirroredChannels = selectQuery(
  'select_mirrored_channels',
  `select id from channel where source = 'client' and gone_at is null order by id`,
).column('id');

/** Marks channels that the client no longer lists; they and their casts stay. @returns those that were not marked yet */
export const updateGoneChannels = writeQuery(
  'update_gone_channels',
  `update channel set gone_at = :at, updated_at = :at
    where id = any(:ids::text[]) and source = 'client' and gone_at is null returning id`,
).column('id', (ids: readonly string[], at: Date) => ({ ids, at }));

/** Which list about a channel: its members, invites and restrictions, or its followers. */
export type SyncedList = 'members' | 'followers';

// Members are those who were read from the client before, or joined here: owners and moderators are in the list of channels.
const dueIn = (list: SyncedList) =>
  selectQuery(
    `select_channels_with_old_${list}`,
    `select c.id
       from channel c
       left join channel_sync s on s.channel_id = c.id
       left join channel_activity a
         on a.channel_id = c.id and a.counted_at = (select max(counted_at) from channel_activity)
      where c.source = 'client' and c.gone_at is null and (s.${list}_at is null or s.${list}_at < :before)
        and (a.channel_id is not null
          or exists (select from channel_follow f where f.channel_id = c.id)
          or exists (select from channel_member m where m.channel_id = c.id and m.role_rank = 2))
      order by s.${list}_at nulls first, coalesce(a.cast_count_30d, 0) desc, c.id limit :limit`,
  ).column('id');
const DUE = { members: dueIn('members'), followers: dueIn('followers') } as const;

/**
 * @returns mirrored channels with casts, follows or members whose list was read before `before` or never, the oldest
 *   first, then those with the most casts
 */
export const selectDueChannels = (db: Session, list: SyncedList, before: Date, limit: number): Promise<string[]> =>
  DUE[list](db, { before, limit });

const syncedOf = (list: SyncedList) =>
  writeQuery(
    `upsert_channel_${list}_sync`,
    `insert into channel_sync (channel_id, ${list}_at) values (:channelId, :at)
     on conflict (channel_id) do update set ${list}_at = excluded.${list}_at`,
  ).done();
const SYNCED = { members: syncedOf('members'), followers: syncedOf('followers') } as const;

/** Notes when a list of a channel was read. */
export const upsertChannelSync = (session: Session, list: SyncedList, channelId: string, at: Date): Promise<void> =>
  SYNCED[list](session, { channelId, at });
