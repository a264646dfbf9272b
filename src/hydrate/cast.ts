import type { Loaded } from '../cache/entry.js';
import type { EntityKind, ReadContext } from '../cache/read-context.js';
import type { Tag } from '../db/statement.js';
import { type CastRow, selectCasts } from '../store/query/cast.js';
import { castCountsOf, castOf, signersOf, urlMetadataOf } from '../store/tag.js';
import { channelTokens } from './text-token.js';

export interface Cast {
  readonly row: CastRow;
  /** The stored casts that it embeds, by hash; two levels deep. */
  readonly embedded: ReadonlyMap<string, Cast>;
  /** Ids of `/channel` in the text, whether such a channel exists or not. */
  readonly channelIds: readonly string[];
  /** Parent URL of the cast's channel; null if there is no such channel. */
  readonly channelUrl: string | null;
  /** JSON of the members that depend on this cast alone; set when the view first renders it. */
  json?: string;
}

const LEVELS = 2;
const NONE: ReadonlyMap<string, Cast> = new Map();

const embeddedHashes = ({ embeds }: CastRow): string[] =>
  embeds === null ? [] : embeds.flatMap((embed) => ('hash' in embed ? [embed.hash] : []));

const embeddedUrls = ({ embeds }: CastRow): string[] =>
  embeds === null ? [] : embeds.flatMap((embed) => ('url' in embed ? [embed.url] : []));

const castWith = (row: CastRow, embedded: readonly (readonly [string, Cast])[]): Cast => ({
  row,
  embedded: embedded.length === 0 ? NONE : new Map(embedded),
  channelIds: channelTokens(row.text).map(({ value }) => value),
  channelUrl: row.rootParentUrl ?? row.parentUrl,
});

/** @param tags receives the tags of everything that the cast depends on in addition to its own row */
const castOfRow = (row: CastRow, rows: ReadonlyMap<string, CastRow>, level: number, tags: Tag[]): Cast => {
  tags.push(signersOf(row.fid), ...embeddedUrls(row).map(urlMetadataOf));
  const hashes = level === 0 ? [] : embeddedHashes(row);
  const embedded = hashes.flatMap((hash): [string, Cast][] => {
    tags.push(castOf(hash));
    const inner = rows.get(hash);
    return inner === undefined ? [] : [[hash, castOfRow(inner, rows, level - 1, tags)]];
  });
  return castWith(row, embedded);
};

/** @returns the rows of these casts, of those that they embed, and of those that these embed. */
const readRows = async (hashes: readonly string[], read: ReadContext): Promise<Map<string, CastRow>> => {
  const rows = new Map<string, CastRow>();
  let wanted: readonly string[] = hashes;
  // Casts embedded two levels deep are rare: a recursive statement would cost PostgreSQL more than a second query.
  for (let level = 0; level <= LEVELS && wanted.length > 0; level++) {
    const found = await selectCasts(read, wanted);
    for (const row of found) rows.set(row.hash, row);
    wanted = [...new Set(found.flatMap(embeddedHashes))].filter((hash) => !rows.has(hash));
  }
  return rows;
};

const load = async (hashes: readonly string[], read: ReadContext): Promise<Map<string, Loaded<Cast>>> => {
  const rows = await readRows(hashes, read);
  const casts = new Map<string, Loaded<Cast>>();
  for (const hash of hashes) {
    const row = rows.get(hash);
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
  return new Map(rows.map((row) => [row.hash, castWith(row, embeddedIn(row))]));
};
