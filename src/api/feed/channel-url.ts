import type { Reader } from '../../db/statement.js';
import { selectChannelSpellings } from '../../store/channel/spelling.js';

/** @returns the id as channels have it: queries may have spaces around it, and upper case */
export const channelIdOf = (text: string): string => text.trim().toLowerCase();

/** @returns the URLs of these channels in all spellings; channels that are not stored are left out */
export const channelUrls = (db: Reader, ids: readonly string[]): Promise<string[]> =>
  selectChannelSpellings(db, ids.map(channelIdOf));
