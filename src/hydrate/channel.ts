import type { EntityKind } from '../cache/read-context.js';
import { type ChannelRow, selectChannelsById, selectChannelsByUrl } from '../store/query/channel.js';

export interface Channel {
  readonly row: ChannelRow;
  /** JSON of `Channel` up to its lead; set when the view first renders it. */
  json?: string;
}

const loaded = (row: ChannelRow) => ({ value: { row } satisfies Channel });

/** Channels by id. They change only by import, which invalidates everything. */
export const channelById: EntityKind<string, Channel> = {
  keyOf: (id) => `channel ${id}`,
  tagsOf: () => [],
  load: async (ids, read) => new Map((await selectChannelsById(read, ids)).map((row) => [row.id, loaded(row)])),
};

/** Channels by parent URL. */
export const channelByUrl: EntityKind<string, Channel> = {
  keyOf: (url) => `channel-url ${url}`,
  tagsOf: () => [],
  load: async (urls, read) =>
    new Map((await selectChannelsByUrl(read, urls)).map((row) => [row.parent_url, loaded(row)])),
};
