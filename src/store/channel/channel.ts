import { readQuery } from '../query-function.js';
import type { Tables } from '../tables.js';
import { channelOf, channelUrlOf } from '../tag.js';

export type ChannelSource = Tables['channel']['source'];

/** A stored channel. */
export interface ChannelRow {
  readonly id: string;
  readonly parent_url: string;
  readonly url: string;
  readonly name: string;
  readonly description: string | null;
  readonly description_mentions: readonly number[];
  /** Bytes of the description. */
  readonly description_mention_positions: readonly number[];
  readonly image_url: string | null;
  readonly external_link_title: string | null;
  readonly external_link_url: string | null;
  readonly lead_fid: number | null;
  /** Hex without 0x. */
  readonly pinned_cast_hash: string | null;
  readonly source: ChannelSource;
  readonly follower_count: number;
  readonly member_count: number;
  /** Those who joined first come first. */
  readonly moderator_fids: readonly number[];
  readonly created_at: Date;
}

/** Columns of a `ChannelRow`; the channel has the alias `c`. */
const COLUMNS = `c.id, c.parent_url, c.url, c.name, c.description, c.description_mentions, c.description_mention_positions,
       c.image_url, c.external_link_title, c.external_link_url, c.lead_fid,
       encode(c.pinned_cast_hash, 'hex') as pinned_cast_hash, c.source,
       greatest(c.listed_follower_count, c.follower_count) as "follower_count!",
       greatest(c.listed_member_count, c.member_count) as "member_count!",
       array(select m.fid from channel_member m where m.channel_id = c.id and m.role_rank = 1 order by m.since, m.fid) as "moderator_fids!",
       c.created_at`;

export const selectChannelsById = readQuery(
  'channel_by_id',
  `select ${COLUMNS} from channel c where c.id = any(:ids::text[])`,
  ({ ids }) => ids.map(channelOf),
).rows((ids: readonly string[]) => ({ ids }));

/** A channel, found by one of the spellings of its URL. */
export type ChannelOfUrl = ChannelRow & { readonly spelling: string };

/** @returns a channel for each of the URLs that is one of its spellings */
export const selectChannelsByUrl = readQuery(
  'channel_by_url',
  `select u.url as spelling, ${COLUMNS}
     from channel_parent_url u join channel c on c.id = u.channel_id
    where u.url = any(:urls::text[])`,
  ({ urls }, rows) => [...urls.map(channelUrlOf), ...rows.map(({ id }) => channelOf(id))],
).rows((urls: readonly string[]) => ({ urls }));
