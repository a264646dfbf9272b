import type { EntityKind } from '../cache/read-context.js';
import {
  type ChannelOfUrl,
  type ChannelRow,
  selectChannelsById,
  selectChannelsByUrl,
} from '../store/channel/channel.js';
import { type AccountAndChannel, type ChannelRelationRow, selectChannelRelations } from '../store/channel/follow.js';
import { channelOf, channelsOfAccount, channelUrlOf } from '../store/tag.js';

export interface Channel {
  readonly row: ChannelRow;
  /** JSON of `Channel` up to its description; set when the view first renders it. */
  json?: string;
}

/** @returns those who lead and moderate a channel, the lead first */
export const hostsOf = ({ row: { leadFid: lead, moderatorFids: moderators } }: Channel): readonly number[] =>
  lead === null ? moderators : [lead, ...moderators];

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

/** What accounts are to channels, by `channelRelationKey`. */
export type ChannelRelations = ReadonlyMap<string, ChannelRelationRow>;

/** @returns the key of what an account is to a channel */
export const channelRelationKey = (fid: number, id: string): string => `${fid} ${id}`;

const pairOf = (key: string): AccountAndChannel => {
  const end = key.indexOf(' ');
  return { fid: Number(key.slice(0, end)), id: key.slice(end + 1) };
};

/** What accounts are to channels, by `channelRelationKey`. Every key has a row. */
export const channelRelationByKey: EntityKind<string, ChannelRelationRow> = {
  keyOf: (key) => `channel-relation ${key}`,
  tagsOf: (key) => [channelsOfAccount(pairOf(key).fid)],
  load: async (keys, read) => {
    const rows = await selectChannelRelations(read, keys.map(pairOf));
    return new Map(rows.map((row) => [channelRelationKey(row.fid, row.id), { value: row }]));
  },
};
