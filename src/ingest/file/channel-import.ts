import type { Database } from '../../db/database.js';
import { invalidField } from '../../error.js';
import { INVALIDATE_ALL, type Invalidation, insertChange } from '../../store/change.js';
import { selectChannelsById, selectChannelsByUrl } from '../../store/channel/channel.js';
import { insertChannelFollows } from '../../store/channel/follow.js';
import { replaceMembers, upsertChannels } from '../../store/channel/write.js';
import { readChannelFile } from './channel-file.js';

export interface ChannelReport {
  readonly channels: number;
  /** Members besides the leads. */
  readonly members: number;
  /** Ids of channels that were left as they are, because a live source decides about them. */
  readonly kept: readonly string[];
}

/** Whether a list from a file may overwrite a channel of this source. */
const MAY_OVERWRITE = {
  // An export of this server, or a file that its operator wrote.
  local: { local: true, file: true, client: false, protocol: false },
  // A public list.
  file: { local: false, file: true, client: false, protocol: false },
} as const;

/**
 * Stores all channels of a file (`channel-file.ts`), or none. Other stored channels are kept.
 * @param changed invalidates the caches of this process, if it has any
 * @throws AppError invalid, property `file`, for an invalid file or one that uses the parent URL of another channel
 */
export const importChannels = async (
  db: Database,
  text: string,
  changed: (invalidation: Invalidation) => void = () => undefined,
): Promise<ChannelReport> => {
  const described = readChannelFile(text, new Date());
  const ids = new Map(described.map(({ row }) => [row.parentUrl, row.id]));
  const holders = await selectChannelsByUrl(db, [...ids.keys()]);
  const taken = holders.find(({ id, parentUrl: url, spelling }) => spelling === url && ids.get(url) !== id);
  if (taken !== undefined) {
    throw invalidField(
      'file',
      `Nothing was imported: ${taken.spelling} is the parent URL of the channel ${taken.id}, it cannot be that of ${ids.get(taken.spelling)} too.`,
    );
  }
  const stored = await selectChannelsById(db, [...ids.values()]);
  const sources = new Map(stored.map(({ id, source }) => [id, source]));
  const written = described.filter(({ row }) => {
    const source = sources.get(row.id);
    return source === undefined || MAY_OVERWRITE[row.source as 'local' | 'file'][source];
  });
  const named = written.filter(({ members }) => members !== undefined).map(({ row }) => row.id);
  const members = written.flatMap((one) => one.members ?? []);
  const follows = written.flatMap(({ row, followers }) => followers.map((one) => ({ ...one, channelId: row.id })));
  await db.transaction(async (session) => {
    await upsertChannels(
      session,
      written.map(({ row }) => row),
    );
    await replaceMembers(session, named, members);
    await insertChannelFollows(session, follows);
    await insertChange(session, INVALIDATE_ALL);
  });
  changed(INVALIDATE_ALL);
  const ownIds = new Set(written.map(({ row }) => row.id));
  return {
    channels: written.length,
    members: members.length,
    kept: [...ids.values()].filter((id) => !ownIds.has(id)),
  };
};
