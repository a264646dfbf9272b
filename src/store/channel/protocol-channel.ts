import { insertRows, readRows, selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A registered channel with its state, except slots and moderated casts. */
export type ProtocolChannelRow = Camel<Written<Tables['protocol_channel']>>;

const COLUMNS = {
  id: 'bytea',
  key: 'text',
  label: 'text',
  owner_address: 'bytea',
  expires_at: 'bigint',
  registered_at: 'timestamptz',
  block_number: 'bigint',
  log_index: 'integer',
  owner_fid: 'bigint',
  name: 'text',
  description: 'text',
  image_url: 'text',
  header: 'text',
  rules: 'text',
  casting_mode: 'smallint',
  membership_mode: 'smallint',
  described_at: 'timestamptz',
  pinned_cast_hash: 'bytea',
  pinned_by: 'bigint',
  slot_count: 'integer',
  moderator_count: 'integer',
  moderation_count: 'integer',
  shown_url: 'text',
} as const;

const NAMES = Object.keys(COLUMNS);

/** @returns the channels with these ids or these owners' addresses */
export const selectProtocolChannels = selectQuery(
  'select_protocol_channels',
  `select ${columnList(NAMES)} from protocol_channel where id = any(:ids::bytea[]) or owner_address = any(:ownerAddresses::bytea[])`,
).rows((ids: readonly Uint8Array[], ownerAddresses: readonly Uint8Array[]) =>
  ids.length + ownerAddresses.length === 0 ? undefined : { ids, ownerAddresses },
);

export const upsertProtocolChannels = insertRows(
  'upsert_protocol_channels',
  'protocol_channel',
  COLUMNS,
  `on conflict (id) do update set ${NAMES.filter((name) => name !== 'id')
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`,
).done((rows: readonly ProtocolChannelRow[]) => [rows]);

/**
 * @param prefix beginning of the URLs under which channels are shown
 * @param after id of the last channel of the previous page; no bytes: the first page
 * @returns channels that are not shown under such a URL
 */
export const selectHiddenProtocolChannels = selectQuery(
  'select_hidden_protocol_channels',
  `select ${columnList(NAMES)} from protocol_channel
    where id > :after and (shown_url is null or not starts_with(shown_url, :prefix)) order by id limit :limit`,
).rows((prefix: string, after: Uint8Array, limit: number) => ({ after, prefix, limit }));

/** @returns ids in the list of channels, and URLs, of those of the channels that are shown */
export const selectShownProtocolChannels = readRows(
  'select_shown_protocol_channels',
  { id: 'bytea' },
  (rows) => `select p.key as id, p.shown_url as "url!" from (${rows}) k join protocol_channel p on p.id = k.id
    where p.shown_url is not null`,
).rows((ids: readonly Uint8Array[]) => [ids.map((id) => ({ id }))]);

/** @returns the id of a channel of another source that has this id, or of another channel with this parent URL */
export const selectChannelInTheWay = selectQuery(
  'select_channel_in_the_way',
  `select id from channel where (id = :id and source <> 'protocol') or (parent_url = :url and id <> :id) limit 1`,
).value('id', (id: string, url: string) => ({ id, url }));

/** @returns the verifications of these Ethereum addresses */
export const selectOwnerClaims = readRows(
  'select_channel_owner_claims',
  { address: 'bytea' },
  (rows) => `select v.fid, v.address, v.ts, v.hash
     from (${rows}) k
     join address_owner o on o.address = k.address and o.role = 1
     join verification v on v.fid = o.fid and v.protocol = 0 and v.address = o.address`,
).rows((addresses: readonly Uint8Array[]) => [addresses.map((address) => ({ address }))]);

/**
 * Adds the stored likes of a URL to the follows of a channel.
 * @param digest of the URL, as reactions have it
 * @returns the accounts that did not follow the channel before
 */
export const insertFollowsOfLikes = writeQuery(
  'insert_channel_follows_of_likes',
  `with written as (
     insert into channel_follow (channel_id, fid, followed_at)
     select :channelId, r.fid, timestamptz '2021-01-01T00:00:00Z' + max(r.ts) * interval '1 second'
       from reaction r where r.target_fid = 0 and r.target_hash = :digest and r.type = 1 group by r.fid
     on conflict do nothing returning fid),
   counted as (
     update channel c set follower_count = c.follower_count + (select count(*) from written) where c.id = :channelId)
   select fid from written`,
).column('fid', (channelId: string, digest: Uint8Array) => ({ channelId, digest }));
