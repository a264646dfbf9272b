import type { EntityKind, ReadContext } from '../cache/read-context.js';
import {
  type ChannelOfUrl,
  type ChannelRow,
  selectChannelsById,
  selectChannelsByUrl,
} from '../store/channel/channel.js';
import { type ChannelRelationRow, selectChannelRelations } from '../store/channel/follow.js';
import { channelOf, channelUrlOf } from '../store/tag.js';

export interface Channel {
  readonly row: ChannelRow;
  /** JSON of `Channel` up to its description; set when the view first renders it. */
  json?: string;
}

/** Channels by id, in lower case. */
export const channelById: EntityKind<string, Channel> = {
  keyOf: (id) => `channel ${id}`,
  tagsOf: (id) => [channelOf(id)],
  load: async (ids, read) => new Map((await selectChannelsById(read, ids)).map((row) => [row.id, { value: { row } }])),
};

const loadByUrl = ({ spelling, ...row }: ChannelOfUrl) =>
  [spelling, { value: { row } satisfies Channel, tags: [channelOf(row.id)] }] as const;

/** Channels by any spelling of their URL. */
export const channelByUrl: EntityKind<string, Channel> = {
  keyOf: (url) => `channel-url ${url}`,
  tagsOf: (url) => [channelUrlOf(url)],
  load: async (urls, read) => new Map((await selectChannelsByUrl(read, urls)).map(loadByUrl)),
};

/** What a viewer is to channels, by channel id. */
export type ChannelRelations = ReadonlyMap<string, ChannelRelationRow>;

/** Sends one statement, none without channels. */
export const hydrateChannelRelations = async (
  read: ReadContext,
  viewer: number,
  channels: Iterable<Channel>,
): Promise<ChannelRelations> => {
  const ids = [...new Set([...channels].map(({ row }) => row.id))];
  if (ids.length === 0) return new Map();
  return new Map((await selectChannelRelations(read, viewer, ids)).map((relation) => [relation.id, relation]));
};
