import { invalidField } from '../../error.js';
import { EVERYTHING, type Invalidation } from '../../store/change.js';
import { replaceChannelMembers, upsertChannels } from '../../store/channel.js';
import { selectChannelsByUrl } from '../../store/query/channel.js';
import type { Database } from '../../store/database.js';
import { readChannelFile } from './channel-file.js';

export interface ChannelReport {
  readonly channels: number;
  readonly members: number;
}

/**
 * Stores channels as a file describes them (`channel-file.ts`), all or none. Channels that the file does not name stay.
 * @param changed tells the caches of this process, where there are any
 * @throws AppError invalid, property `file`, for a file that does not fit or that takes another channel's parent URL
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
  changed(EVERYTHING);
  return { channels: rows.length, members: members.length };
};
