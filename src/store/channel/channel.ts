import { type RowOf, readQuery } from '../query-function.js';
import { channelOf, channelUrlOf } from '../tag.js';

/**
 * A stored channel. `descriptionMentionPositions` are bytes of the description, `pinnedCastHash` is hex without 0x; of
 * `moderatorFids`, those who joined first come first.
 */
export type ChannelRow = RowOf<'channel_by_id'>;

/** Columns of a `ChannelRow`; the channel has the alias `c`. */
const COLUMNS = `c.id, c.parent_url as "parentUrl", c.url, c.name, c.description, c.description_mentions as "descriptionMentions",
       c.description_mention_positions as "descriptionMentionPositions", c.image_url as "imageUrl",
       c.external_link_title as "externalLinkTitle", c.external_link_url as "externalLinkUrl", c.lead_fid as "leadFid",
       encode(c.pinned_cast_hash, 'hex') as "pinnedCastHash", c.source,
       greatest(c.listed_follower_count, c.follower_count) as "followerCount!",
       greatest(c.listed_member_count, c.member_count) as "memberCount!",
       array(select m.fid from channel_member m where m.channel_id = c.id and m.role_rank = 1 order by m.since, m.fid) as "moderatorFids!",
       c.created_at as "createdAt"`;

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
