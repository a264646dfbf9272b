import type { Database } from '../../db/database.js';
import { invalidField } from '../../error.js';
import { INVALIDATE_ALL, type Invalidation } from '../../store/change.js';
import { replaceChannelMembers, upsertChannels } from '../../store/protocol/channel.js';
import { selectChannelsByUrl } from '../../store/query/channel.js';
import { readChannelFile } from './channel-file.js';

export interface ChannelReport {
  readonly channels: number;
  readonly members: number;
}

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
  const described = readChannelFile(text);
  const rows = described.map(({ row }) => row);
  const ids = new Map(rows.map((row) => [row.parent_url, row.id]));
  const named = described.filter(({ members }) => members !== undefined).map(({ row }) => row.id);
  const members = described.flatMap((one) => one.members ?? []);
  const holders = await selectChannelsByUrl(db, [...ids.keys()]);
  const taken = holders.find((holder) => ids.get(holder.parent_url) !== holder.id);
  if (taken !== undefined) {
    throw invalidField(
      'file',
      `Nothing was imported: ${taken.parent_url} is the parent URL of the channel ${taken.id}, it cannot be that of ${ids.get(taken.parent_url)} too.`,
    );
  }
  await db.transaction(async (session) => {
    await upsertChannels(session, rows);
    await replaceChannelMembers(session, named, members);
  });
  changed(INVALIDATE_ALL);
  return { channels: rows.length, members: members.length };
};
