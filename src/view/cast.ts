import type { Assembly } from '../hydrate/assembly.js';
import type { Cast } from '../hydrate/cast.js';
import type { Hydration } from '../hydrate/hydrate.js';
import { REACTION, type Viewer } from '../hydrate/viewer.js';
import { assembleCast } from './cast-assembly.js';
import { fragmentBytes } from './entity-fragment.js';
import type { JsonWriter } from './json-writer.js';
import { viewerContext as userViewerContext } from './user.js';

/** A cast that a page can show. */
export interface ShownCast {
  readonly cast: Cast;
  readonly assembly: Assembly;
}

/** @returns what a cast is called in the log. */
export const castName = (hash: string): string => `cast 0x${hash}`;

/**
 * @param json of the page; nothing is written
 * @returns undefined when the cast is not stored, or not its author: both are written in one transaction, but read in
 *   two queries.
 */
export const shownCast = (json: JsonWriter, hash: string, page: Hydration): ShownCast | undefined => {
  const cast = page.casts.get(hash);
  if (cast === undefined) return undefined;
  const { content } = cast;
  const assembly = page.whole.get(content) ?? assembleCast(json, content, page);
  if (assembly === undefined) return undefined;
  return { cast, assembly };
};

const renderCounters = (cast: Cast): Buffer => {
  const { like_count, recast_count, reply_count } = cast.counts;
  cast.counters ??= fragmentBytes(
    `,"reactions":{"likes":[],"likes_count":${like_count},"recasts":[],"recasts_count":${recast_count}},` +
      `"replies":{"count":${reply_count}}}`,
  );
  return cast.counters;
};

const everyContext = Array.from({ length: 4 }, (_, reactions) => {
  const is = (mask: number): boolean => (reactions & mask) !== 0;
  return fragmentBytes(`,"viewer_context":{"liked":${is(REACTION.liked)},"recasted":${is(REACTION.recasted)}}}`);
});

/** With the brace behind it that ends the cast. */
const viewerContext = (hash: string, viewer: Viewer): Buffer => everyContext[viewer.reactions(hash)] as Buffer;

/** The bytes of a cast between the places where something about its users may be added. */
const piecesOf = (assembly: Assembly): readonly Buffer[] => {
  assembly.pieces ??= [0, ...assembly.users.map(({ at }) => at + 1)].map((from, index) =>
    assembly.bytes.subarray(from, assembly.users[index]?.at ?? assembly.bytes.length),
  );
  return assembly.pieces;
};

/** Writes `Cast`, with how it and its users stand to the viewer if one is named. */
export const writeCast = (json: JsonWriter, { cast, assembly }: ShownCast, { viewer }: Hydration): void => {
  if (viewer === undefined) {
    json.bytes(assembly.bytes);
    json.bytes(renderCounters(cast));
    return;
  }
  let at = 0;
  for (const piece of piecesOf(assembly)) {
    json.bytes(piece);
    const user = assembly.users[at++];
    if (user !== undefined) json.bytes(userViewerContext(user.fid, viewer));
  }
  json.bytes(renderCounters(cast));
  json.back(1);
  json.bytes(viewerContext(cast.content.row.hash, viewer));
};
