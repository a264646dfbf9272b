import { insertRows, readRows, selectQuery } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A message about a channel in the order of arrival; `refusal` says why it changed nothing. */
export type ChannelMessageRow = Camel<Omit<Written<Tables['protocol_channel_message']>, 'position'>>;

/** Appends messages in the order given, or updates the refusal of those that have a place in the order. */
export const insertChannelMessages = insertRows(
  'insert_protocol_channel_messages',
  'protocol_channel_message',
  { channel_id: 'bytea', fid: 'bigint', hash: 'bytea', type: 'smallint', refusal: 'text' },
  'on conflict (hash) do update set refusal = excluded.refusal',
).done((rows: readonly ChannelMessageRow[]) => [rows]);

/** @returns those of the hashes that have a place in the order already */
export const selectKnownChannelMessages = readRows(
  'select_known_protocol_channel_messages',
  { hash: 'bytea' },
  (rows) => `select m.hash from (${rows}) k join protocol_channel_message m on m.hash = k.hash`,
).column('hash', (hashes: readonly Uint8Array[]) => [hashes.map((hash) => ({ hash }))]);

/** The columns of a stored message that decide about a channel. */
export interface StoredChannelMessage {
  readonly fid: number;
  readonly type: number;
  readonly ts: number;
  readonly hash: Uint8Array;
  readonly data: Uint8Array;
}

/** @returns the messages, in their order, that were about one of these channels before it was registered */
export const selectUnregisteredMessages = readRows(
  'select_unregistered_channel_messages',
  { channel_id: 'bytea' },
  (rows) => `select m.fid, m.type, m.ts, m.hash, m.data
     from (${rows}) k
     join protocol_channel_message l on l.channel_id = k.channel_id and l.refusal = 'unregistered'
     join message m on m.hash = l.hash and m.type >= 18 and m.type <= 21
    order by l.position`,
).rows((channelIds: readonly Uint8Array[]) => [channelIds.map((id) => ({ channelId: id }))]);

/**
 * @returns messages about channels that an earlier version stored without reading them, in the order in which they were
 *   stored. Their table has no column for it: transactions that ingest follow one another, so the order is that of the
 *   transactions and, in each, of the rows.
 */
export const selectUnreadChannelMessages = selectQuery(
  'select_unread_channel_messages',
  `select m.fid, m.type, m.ts, m.hash, m.data from message m
    where m.type >= 18 and m.type <= 21
      and not exists (select from protocol_channel_message l where l.hash = m.hash)
    order by age(m.xmin) desc, m.ctid limit :limit`,
).rows((limit: number) => ({ limit }));
