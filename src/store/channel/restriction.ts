import { selectQuery, writeQuery } from '../query-function.js';
import type { Tables } from '../tables.js';

/** `banned`: may neither follow nor join; `restricted`: was removed, and cannot be invited again. */
export type RestrictionKind = Tables['channel_restriction']['kind'];

export const selectRestriction = selectQuery(
  'select_channel_restriction',
  'select kind from channel_restriction where channel_id = :channelId and fid = :fid',
).value('kind', (channelId: string, fid: number) => ({ channelId, fid }));

/** A ban stays one. */
export const insertRestriction = writeQuery(
  'insert_channel_restriction',
  `insert into channel_restriction (channel_id, fid, kind, since) values (:channelId, :fid, :kind, :since)
   on conflict (channel_id, fid) do update set kind = excluded.kind where channel_restriction.kind = 'restricted'`,
).done((channelId: string, fid: number, kind: RestrictionKind, since: Date) => ({ channelId, fid, kind, since }));

export const deleteRestriction = writeQuery(
  'delete_channel_restriction',
  'delete from channel_restriction where channel_id = :channelId and fid = :fid',
).done((channelId: string, fid: number) => ({ channelId, fid }));
