import type { Loaded } from '../cache/entry.js';
import type { EntityKind, ReadContext } from '../cache/read-context.js';
import type { Tag } from '../db/statement.js';
import { type CastRow, selectCasts } from '../store/query/cast.js';
import { castCountsOf, castOf, signersOf } from '../store/tag.js';
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

/** @param tags receives the tags of everything that the cast depends on in addition to its own row */
const castOfRow = (row: CastRow, rows: ReadonlyMap<string, CastRow>, level: number, tags: Tag[]): Cast => {
  tags.push(signersOf(row.fid));
  const hashes = level === 0 ? [] : embeddedHashes(row);
  const embedded = hashes.flatMap((hash): [string, Cast][] => {
    tags.push(castOf(hash));
    const inner = rows.get(hash);
    return inner === undefined ? [] : [[hash, castOfRow(inner, rows, level - 1, tags)]];
  });
  return {
    row,
    embedded: embedded.length === 0 ? NONE : new Map(embedded),
    channelIds: channelTokens(row.text).map(({ value }) => value),
    channelUrl: row.root_parent_url ?? row.parent_url,
  };
};

/** Adds the rows of these casts, and those of the casts that they embed, down to so many levels. */
const addRows = async (
  rows: Map<string, CastRow>,
  hashes: readonly string[],
  levels: number,
  read: ReadContext,
): Promise<void> => {
  let wanted = hashes;
  // Casts embedded two levels deep are rare: a recursive statement would cost PostgreSQL more than a second query.
  for (let level = 0; level <= levels && wanted.length > 0; level++) {
    const found = await selectCasts(read, wanted);
    for (const row of found) rows.set(row.hash, row);
    wanted = [...new Set(found.flatMap(embeddedHashes))].filter((hash) => !rows.has(hash));
  }
};

const load = async (hashes: readonly string[], read: ReadContext): Promise<Map<string, Loaded<Cast>>> => {
  const rows = new Map<string, CastRow>();
  await addRows(rows, hashes, LEVELS, read);
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
 * Casts that are not stored, such as those that were removed.
 * @param rows made from their messages
 * @returns them by hash, with the stored casts that they embed
 */
export const hydrateUnstoredCasts = async (
  read: ReadContext,
  rows: readonly CastRow[],
): Promise<ReadonlyMap<string, Cast>> => {
  const known = new Map(rows.map((row) => [row.hash, row]));
  await addRows(known, [...new Set(rows.flatMap(embeddedHashes))], LEVELS - 1, read);
  return new Map(rows.map((row) => [row.hash, castOfRow(row, known, LEVELS, [])]));
};
