import { insertRows, readRows, selectQuery } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** What an account is to a channel of the protocol, besides its owner. */
export type SlotRow = Camel<Written<Tables['protocol_channel_slot']>>;
type SlotKey = Pick<SlotRow, 'channelId' | 'fid'>;

/** A cast that a channel hid, or shows again. */
export type ModerationRow = Camel<Written<Tables['protocol_channel_moderation']>>;
type ModerationKey = Pick<ModerationRow, 'channelId' | 'castHash'>;

export const selectSlots = readRows(
  'select_protocol_channel_slots',
  { channel_id: 'bytea', fid: 'bigint' },
  (rows) => `select s.channel_id as "channelId", s.fid, s.state, s.since, s.acted_ts as "actedTs"
     from (select distinct * from (${rows}) r) k
     join protocol_channel_slot s on s.channel_id = k.channel_id and s.fid = k.fid`,
).rows((keys: readonly SlotKey[]) => [keys]);

/** @returns members, moderators and banned accounts of a channel */
export const selectCurrentSlots = selectQuery(
  'select_current_protocol_channel_slots',
  `select channel_id as "channelId", fid, state, since, acted_ts as "actedTs" from protocol_channel_slot
    where channel_id = :channelId and state <> 'removed'`,
).rows((channelId: Uint8Array) => ({ channelId }));

export const upsertSlots = insertRows(
  'upsert_protocol_channel_slots',
  'protocol_channel_slot',
  { channel_id: 'bytea', fid: 'bigint', state: 'text', since: 'timestamptz', acted_ts: 'integer' },
  `on conflict (channel_id, fid) do update set state = excluded.state, since = excluded.since,
     acted_ts = excluded.acted_ts`,
).done((rows: readonly SlotRow[]) => [rows]);

export const selectModerations = readRows(
  'select_protocol_channel_moderations',
  { channel_id: 'bytea', cast_hash: 'bytea' },
  (rows) => `select m.channel_id as "channelId", m.cast_hash as "castHash", m.hidden, m.moderated_by as "moderatedBy"
     from (select distinct * from (${rows}) r) k
     join protocol_channel_moderation m on m.channel_id = k.channel_id and m.cast_hash = k.cast_hash`,
).rows((keys: readonly ModerationKey[]) => [keys]);

export const upsertModerations = insertRows(
  'upsert_protocol_channel_moderations',
  'protocol_channel_moderation',
  { channel_id: 'bytea', cast_hash: 'bytea', hidden: 'boolean', moderated_by: 'bigint' },
  `on conflict (channel_id, cast_hash) do update set hidden = excluded.hidden,
     moderated_by = excluded.moderated_by`,
).done((rows: readonly ModerationRow[]) => [rows]);
