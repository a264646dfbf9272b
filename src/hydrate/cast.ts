import type { EntityKind } from '../cache/entity-kind.js';
import type { Loaded } from '../cache/entry.js';
import type { ReadContext } from '../cache/read-context.js';
import { type CastRow, selectCasts } from '../store/query/cast.js';
import { castCountsOf, castOf, signersOf, type Tag } from '../store/tag.js';
import { channelTokens } from './text-token.js';

export interface Cast {
  readonly row: CastRow;
  /** The casts that it embeds, as far as they are stored, by hash; two levels deep. */
  readonly embedded: ReadonlyMap<string, Cast>;
  /** Ids of `/channel` in the text, whether such a channel exists or not. */
  readonly channelIds: readonly string[];
  /** Parent URL that stands for the cast's channel, if there is such a channel. */
  readonly channelUrl: string | null;
  /** JSON of all that depends on this cast alone, once the view wrote it. */
  json?: string;
}

const LEVELS = 2;
const NONE: ReadonlyMap<string, Cast> = new Map();

const embeddedHashes = ({ embeds }: CastRow): string[] =>
  embeds === null ? [] : embeds.flatMap((embed) => ('hash' in embed ? [embed.hash] : []));

/** @param tags takes what the cast is made from beside its own row */
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

/** @returns the rows of these casts, of those that they embed, and of those that these embed. */
const readRows = async (hashes: readonly string[], read: ReadContext): Promise<Map<string, CastRow>> => {
  const rows = new Map<string, CastRow>();
  let wanted: readonly string[] = hashes;
  // Few pages have casts within casts within casts: a recursive statement costs PostgreSQL more than the second round.
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
