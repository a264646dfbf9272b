import { selectChannelsById } from '../../store/query/channel.js';
import type { Reader } from '../../store/database.js';

/** @returns the parent URLs that stand for these channels; channels that are not stored are left out. */
export const channelUrls = async (db: Reader, ids: readonly string[]): Promise<string[]> =>
  (await selectChannelsById(db, ids)).map((channel) => channel.parent_url).sort();
