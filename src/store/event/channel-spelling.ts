import { type Reader, statement } from '../../db/statement.js';

const channelSpellings = statement<{ id: string; parentUrl: string; url: string }>(
  'channel_spellings',
  `select id, parent_url as "parentUrl", url from channel
    where parent_url = any($1::text[]) or url = any($1::text[]) or id = any($2::text[])`,
);

/** @returns the channels with one of these URLs or ids */
export const selectChannelSpellings = (
  db: Reader,
  urls: readonly string[],
  ids: readonly string[],
): Promise<{ readonly id: string; readonly parentUrl: string; readonly url: string }[]> =>
  db.read(channelSpellings, [urls, ids]);
