import type { Loaded } from '../cache/entry.js';
import type { EntityKind, ReadContext } from '../cache/read-context.js';
import type { Tag } from '../db/statement.js';
import { selectFoundMetadata } from '../store/crawl/url-metadata.js';
import { type CastRow, selectCasts } from '../store/query/cast.js';
import { castCountsOf, castOf, signersOf, urlMetadataOf } from '../store/tag.js';
import { channelTokens } from './text-token.js';

export interface Cast {
  readonly row: CastRow;
  /** The stored casts that it embeds, by hash; two levels deep. */
  readonly embedded: ReadonlyMap<string, Cast>;
  /** What was found at addresses that it embeds, `EmbedUrlMetadata` of the interface by address. */
  readonly urlMetadata: ReadonlyMap<string, object>;
  /** Ids of `/channel` in the text, whether such a channel exists or not. */
  readonly channelIds: readonly string[];
  /** Parent URL of the cast's channel; null if there is no such channel. */
  readonly channelUrl: string | null;
  /** JSON of the members that depend on this cast alone; set when the view first renders it. */
  json?: string;
}

const LEVELS = 2;
const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/** What the database says about some casts, those that they embed, and those that these embed. */
interface Rows {
  readonly casts: ReadonlyMap<string, CastRow>;
  /** By address. */
  readonly metadata: ReadonlyMap<string, object>;
}

const embeddedHashes = ({ embeds }: CastRow): string[] =>
  embeds === null ? [] : embeds.flatMap((embed) => ('hash' in embed ? [embed.hash] : []));

const embeddedUrls = ({ embeds }: CastRow): string[] =>
  embeds === null ? [] : embeds.flatMap((embed) => ('url' in embed ? [embed.url] : []));

const mapOf = <V>(entries: readonly (readonly [string, V])[]): ReadonlyMap<string, V> =>
  entries.length === 0 ? NONE : new Map<string, V>(entries);

const castWith = (row: CastRow, embedded: Cast['embedded'], urlMetadata: Cast['urlMetadata']): Cast => ({
  row,
  embedded,
  urlMetadata,
  channelIds: channelTokens(row.text).map(({ value }) => value),
  channelUrl: row.rootParentUrl ?? row.parentUrl,
});

/** @param tags receives the tags of everything that the cast depends on in addition to its own row */
const castOfRow = (row: CastRow, rows: Rows, level: number, tags: Tag[]): Cast => {
  const urls = embeddedUrls(row);
  tags.push(signersOf(row.fid), ...urls.map(urlMetadataOf));
  const hashes = level === 0 ? [] : embeddedHashes(row);
  const embedded = hashes.flatMap((hash): [string, Cast][] => {
    tags.push(castOf(hash));
    const inner = rows.casts.get(hash);
    return inner === undefined ? [] : [[hash, castOfRow(inner, rows, level - 1, tags)]];
  });
  const found = urls.flatMap((url) => {
    const metadata = rows.metadata.get(url);
    return metadata === undefined ? [] : [[url, metadata] as const];
  });
  return castWith(row, mapOf(embedded), mapOf(found));
};

const readRows = async (hashes: readonly string[], read: ReadContext): Promise<Rows> => {
  const casts = new Map<string, CastRow>();
  const metadata = new Map<string, object>();
  let wanted: readonly string[] = hashes;
  let urls: readonly string[] = [];
  // Casts embedded two levels deep are rare: a recursive statement would cost PostgreSQL more than a second query.
  for (let level = 0; wanted.length + urls.length > 0; level++) {
    const [rows, found] = await Promise.all([selectCasts(read, wanted), selectFoundMetadata(read, urls)]);
    for (const row of rows) casts.set(row.hash, row);
    for (const [url, one] of found) metadata.set(url, one);
    const next = level === LEVELS ? [] : rows.flatMap(embeddedHashes);
    wanted = [...new Set(next)].filter((hash) => !casts.has(hash));
    urls = [...new Set(rows.flatMap(embeddedUrls))].filter((url) => !metadata.has(url));
  }
  return { casts, metadata };
};

const load = async (hashes: readonly string[], read: ReadContext): Promise<Map<string, Loaded<Cast>>> => {
  const rows = await readRows(hashes, read);
  const casts = new Map<string, Loaded<Cast>>();
  for (const hash of hashes) {
    const row = rows.casts.get(hash);
    if (row === undefined) continue;
    const tags: Tag[] = [];
    casts.set(hash, { value: castOfRow(row, rows, LEVELS, tags), tags });
  }
  return casts;
};

/** Casts by hash (40 hex digits, lower case, without 0x). */
export const castByHash: EntityKind<string, Cast> = {
  keyOf: (hash) => hash,
  tagsOf: (hash) => [castOf(hash), castCountsOf(hash)],
  load,
};

/**
 * @param rows of casts that are not stored, such as removed ones
 * @returns the casts by hash, with the stored casts that they embed
 */
export const hydrateUnstoredCasts = async (read: ReadContext, rows: readonly CastRow[]): Promise<Map<string, Cast>> => {
  const stored = await read.get(castByHash, rows.flatMap(embeddedHashes));
  const embeddedIn = (row: CastRow) =>
    embeddedHashes(row).flatMap((hash) => {
      const cast = stored.get(hash);
      return cast === undefined ? [] : [[hash, cast] as const];
    });
  return new Map(rows.map((row) => [row.hash, castWith(row, mapOf(embeddedIn(row)), NONE)]));
};
