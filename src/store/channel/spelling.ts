import type { Reader } from '../../db/statement.js';
import { insertRows, readQuery, selectQuery, writeQuery, writeRows } from '../query-function.js';
import { channelOf, channelUrlOf } from '../tag.js';

/** Addresses of a channel's page: today's, and the one before 2025 (docs of the Farcaster protocol, "Channels"). */
const PAGES = ['https://farcaster.xyz/~/channel/', 'https://warpcast.com/~/channel/'] as const;

/** @returns the spellings that a channel has whether its source names them or not */
export const pagesOf = (id: string): string[] => PAGES.map((page) => page + id);

interface Spelling {
  readonly channelId: string;
  readonly url: string;
}

/** Stores spellings; one that another channel has already stays with that channel. */
export const insertSpellings = writeRows(
  'insert_channel_spellings',
  { channel_id: 'text', url: 'text' },
  (rows) => `insert into channel_parent_url (channel_id, url) select distinct on (url) channel_id, url from (${rows}) r
     order by url, channel_id on conflict do nothing`,
).done((rows: readonly Spelling[]) => [rows]);

export const deleteSpelling = writeQuery(
  'delete_channel_spelling',
  'delete from channel_parent_url where channel_id = :channelId and url = :url',
).done((channelId: string, url: string) => ({ channelId, url }));

/** @returns the id of the channel that has this URL as a spelling */
export const selectHolder = selectQuery(
  'select_channel_of_spelling',
  'select channel_id as id from channel_parent_url where url = :url',
).value('id', (url: string) => ({ url }));

/** Stores the parent URLs of channels, which a channel that had one of them as another spelling loses. */
export const insertParentUrls = insertRows(
  'insert_channel_parent_urls',
  'channel_parent_url',
  { channel_id: 'text', url: 'text' },
  'on conflict (url) do update set channel_id = excluded.channel_id where channel_parent_url.channel_id <> excluded.channel_id',
).done((rows: readonly Spelling[]) => [rows]);

/** @returns all URLs under which casts of these channels may be; none for unknown channels */
export const selectChannelSpellings = readQuery(
  'channel_spellings_by_id',
  'select url from channel_parent_url where channel_id = any(:ids::text[]) order by url',
  ({ ids }) => ids.map(channelOf),
).column('url', (ids: readonly string[]) => ({ ids }));

const spellingsByUrl = readQuery(
  'channel_spellings_by_url',
  `select u.url as given, s.url
     from channel_parent_url u join channel_parent_url s on s.channel_id = u.channel_id
    where u.url = any(:urls::text[]) order by u.url, s.url`,
  ({ urls }) => urls.map(channelUrlOf),
).rows();

/** @returns all spellings of each URL that is one of a channel, the URL included */
export const selectSpellings = async (db: Reader, urls: readonly string[]): Promise<Map<string, string[]>> => {
  const spellings = new Map<string, string[]>();
  if (urls.length === 0) return spellings;
  for (const { given, url } of await spellingsByUrl(db, { urls })) {
    const known = spellings.get(given);
    if (known === undefined) spellings.set(given, [url]);
    else known.push(url);
  }
  return spellings;
};

/** @returns the URLs together with all other spellings of the channels to which they belong, without duplicates */
export const withSpellings = async (db: Reader, urls: readonly string[]): Promise<string[]> => {
  const spellings = await selectSpellings(db, urls);
  return [...new Set([...urls, ...[...spellings.values()].flat()])].sort();
};
