import { type ChannelRow, selectChannelsById, selectChannelsByUrl } from '../store/channel-read.js';
import type { Database } from '../store/database.js';
import type { EntitySource } from './entity-cache.js';

export interface Channel {
  readonly row: ChannelRow;
  /** JSON of `Channel` as far as it depends on the channel alone, up to the lead. */
  rendered?: Buffer;
}

const length = (text: string | null): number => text?.length ?? 0;

const weigh = ({ row }: Channel): number =>
  1_200 + 4 * (length(row.description) + length(row.image_url) + row.name.length + row.url.length);

/** Channels by id. */
export const channelSource = (db: Database): EntitySource<string, Channel> => ({
  load: async (ids) => new Map((await selectChannelsById(db, ids)).map((row) => [row.id, { row }])),
  weigh,
});

/** Channels by the parent URL that their casts carry. */
export const channelUrlSource = (db: Database): EntitySource<string, Channel> => ({
  load: async (urls) => new Map((await selectChannelsByUrl(db, urls)).map((row) => [row.parent_url, { row }])),
  weigh,
});
