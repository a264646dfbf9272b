import type { Reader } from '../../db/statement.js';
import { selectChannelsById } from '../../store/query/channel.js';

/** @returns the parent URLs of these channels; channels that are not stored are left out */
export const channelUrls = async (db: Reader, ids: readonly string[]): Promise<string[]> =>
  (await selectChannelsById(db, ids)).map((channel) => channel.parent_url).sort();
