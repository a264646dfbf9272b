import { isDataError } from '../../db/failure.js';
import type { Session, Tag } from '../../db/statement.js';
import type { DescribedChannel } from '../../ingest/file/channel-file.js';
import {
  type ChannelChange,
  selectChannelChanges,
  selectMirroredChannels,
  setModerators,
  updateGoneChannels,
} from '../../store/channel/mirror.js';
import { pagesOf } from '../../store/channel/spelling.js';
import { upsertChannels } from '../../store/channel/write.js';
import { type InvalidatingWriter, taggedTransaction } from '../../store/invalidating-transaction.js';
import { CHANNEL_LIST, channelOf, channelsOfAccount, channelUrlOf } from '../../store/tag.js';
import { channelsOf, type ListSummary, summarizeList } from './channel-list.js';
import type { ChannelClient } from './http.js';

/** The list has all channels, 100,000 of them or more, and no pages. */
const LIST = { timeoutMs: 120_000, maxBytes: 64 * 1024 * 1024 } as const;
/** Channels in one transaction. */
const CHUNK = 1000;
/** A list that lacks more than one in so many of the stored channels is taken for a fault of the client. */
const MAX_MISSING = 5;

interface MirrorLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** What the jobs of the mirror need. */
export interface MirrorDependencies extends InvalidatingWriter {
  readonly client: ChannelClient;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly log: MirrorLog;
}

/** @returns the tags of everything that shows what a change of a channel changes */
const tagsOf = (change: ChannelChange, { row }: DescribedChannel): Tag[] => [
  channelOf(row.id),
  // Lists of the channels in which accounts are active depend on which URLs are channels.
  ...(change.isMoved || change.hasNewUrl ? [CHANNEL_LIST] : []),
  ...(change.hasNewUrl ? [row.parentUrl, row.url, ...pagesOf(row.id)].map(channelUrlOf) : []),
  ...(change.hasNewLead ? [change.formerLead, row.leadFid].filter((fid) => fid !== null).map(channelsOfAccount) : []),
];

interface Change {
  readonly change: ChannelChange;
  readonly channel: DescribedChannel;
}

/**
 * A URL belongs to the channel that had it first: one that is listed with the URL of another channel is left out.
 * @returns the changes to make, in the order of the list
 */
const withoutTaken = (found: readonly ChannelChange[], listed: readonly DescribedChannel[]): Change[] => {
  const changes = new Map(found.map((change) => [change.id, change]));
  const urls = new Set<string>();
  return listed.flatMap((channel) => {
    const change = changes.get(channel.row.id);
    if (change === undefined || change.holder !== null || urls.has(channel.row.parentUrl)) return [];
    urls.add(channel.row.parentUrl);
    return [{ change, channel }];
  });
};

interface StoreResult {
  readonly changed: number;
  /** Channels that could not be stored, because of their URL or because the database refuses them. */
  readonly refused: number;
}

const writeChannels = async (
  session: Session,
  listed: readonly DescribedChannel[],
  tags: Set<Tag>,
): Promise<StoreResult> => {
  const found = await selectChannelChanges(
    session,
    listed.map(({ row }) => row),
  );
  const changed = withoutTaken(found, listed);
  await upsertChannels(
    session,
    changed.map(({ channel }) => channel.row),
  );
  for (const { change, channel } of changed) for (const tag of tagsOf(change, channel)) tags.add(tag);
  const named = listed.filter(({ members }) => members !== undefined);
  const moderators = await setModerators(
    session,
    named.map(({ row }) => row.id),
    named.flatMap(({ members }) => members ?? []),
  );
  for (const { id, fid } of moderators) tags.add(channelOf(id)).add(channelsOfAccount(fid));
  return { changed: changed.length, refused: found.length - changed.length };
};

/** Stores channels; if the database refuses the data of some, the others are stored without them. */
const storeChannels = async (deps: MirrorDependencies, listed: readonly DescribedChannel[]): Promise<StoreResult> => {
  try {
    return await taggedTransaction(deps, (session, tags) => writeChannels(session, listed, tags));
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (listed.length === 1) return { changed: 0, refused: 1 };
    const middle = Math.ceil(listed.length / 2);
    const first = await storeChannels(deps, listed.slice(0, middle));
    const second = await storeChannels(deps, listed.slice(middle));
    return { changed: first.changed + second.changed, refused: first.refused + second.refused };
  }
};

const markGone = (deps: MirrorDependencies, ids: readonly string[]): Promise<number> =>
  taggedTransaction(deps, async (session, tags) => {
    const gone = await updateGoneChannels(session, ids, new Date(deps.clock()));
    for (const id of gone) tags.add(channelOf(id)).add(CHANNEL_LIST);
    return gone.length;
  });

/** @returns why the list is not used; undefined if it is */
const refusalOf = (list: ListSummary, stored: number, missing: number): string | undefined => {
  if (list.size === 0) return 'the list of channels is empty: the stored ones are kept';
  if (missing * MAX_MISSING > stored)
    return 'the list of channels lacks more than a fifth of the stored ones, which are kept';
  return undefined;
};

/**
 * Makes the stored channels those of the client's list: writes those that changed, marks those that are no longer listed
 * as gone, and deletes none. Channels of this server and of the protocol stay as they are.
 * @throws AppError if the client does not answer, Error for an answer that is no list; nothing is changed then
 */
export const syncChannels = async (deps: MirrorDependencies, signal: AbortSignal): Promise<void> => {
  const body = await deps.client.read('/v2/all-channels', LIST);
  const now = new Date(deps.clock());
  const list = await summarizeList(body, signal);
  const { invalid, duplicates } = list;
  const stored = await selectMirroredChannels(deps.db);
  const missing = stored.filter((id) => !list.ids.has(id));
  const refusal = refusalOf(list, stored.length, missing.length);
  if (refusal !== undefined) {
    deps.log.warn({ listed: list.size, stored: stored.length, missing: missing.length, invalid }, refusal);
    return;
  }
  let changed = 0;
  let refused = 0;
  for await (const channels of channelsOf(body, { now, count: CHUNK, signal })) {
    const written = await storeChannels(deps, channels);
    changed += written.changed;
    refused += written.refused;
  }
  let gone = 0;
  for (let start = 0; start < missing.length; start += CHUNK) {
    signal.throwIfAborted();
    gone += await markGone(deps, missing.slice(start, start + CHUNK));
  }
  if (invalid + duplicates + refused > 0) {
    deps.log.warn({ invalid, duplicates, refused }, 'some channels of the list were left out');
  }
  deps.log.info({ listed: list.size, changed, gone }, 'the list of channels was read');
};
