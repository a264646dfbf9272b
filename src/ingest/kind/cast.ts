import { type Embed, MessageType, ReactionType } from '@farcaster/core';
import { urlDigest } from '../../protocol/url-digest.js';
import {
  type CastId,
  type CastRoot,
  type CastRow,
  type CastRows,
  cutCastRoots,
  deleteCasts,
  insertCasts,
  selectCastRoots,
  updateCastRoots,
} from '../../store/cast.js';
import { updateGroupPlaces, updateReferencePlaces } from '../../store/cast-place.js';
import type { Session } from '../../store/database.js';
import { selectReactors } from '../../store/reaction.js';
import { answersTo, feedOf, reactionsOf } from '../../store/tag.js';
import { storable } from '../../store/text.js';
import { type BatchChanges, TAG_LIMIT } from '../batch-changes.js';
import { decodedOf, type Held } from '../stored-message.js';
import type { Transition } from '../merge.js';

const name = ({ fid, hash }: CastId): string => `${fid}:${Buffer.from(hash).toString('latin1')}`;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

type Unrooted = Omit<CastRow, keyof CastRoot>;

const embedOf = (embed: Embed): CastRow['embeds'] => {
  if (embed.castId) return [{ fid: embed.castId.fid, hash: hex(embed.castId.hash) }];
  return embed.url === undefined ? [] : [{ url: storable(embed.url) }];
};

const castRow = (held: Held): Unrooted => {
  const body = decodedOf(held).data.castAddBody;
  return {
    fid: held.fid,
    hash: held.hash,
    ts: held.ts,
    type: body?.type ?? 0,
    text: storable(body?.text ?? ''),
    parent_fid: body?.parentCastId?.fid ?? null,
    parent_hash: body?.parentCastId?.hash ?? null,
    parent_url: body?.parentUrl === undefined ? null : storable(body.parentUrl),
    mentions: body?.mentions ?? [],
    mention_positions: body?.mentionsPositions ?? [],
    embeds: [
      ...(body?.embedsDeprecated ?? []).map((url) => ({ url: storable(url) })),
      ...(body?.embeds ?? []).flatMap(embedOf),
    ],
    signer: held.signer,
  };
};

type Way = 'reply' | 'quote' | 'mention';

/** @returns in which way a cast notifies an account, if it names it: a reply before a quote before a mention. */
const wayTo = (fid: number, { parent_fid, embeds }: Unrooted): Way => {
  if (parent_fid === fid) return 'reply';
  return embeds.some((embed) => 'hash' in embed && embed.fid === fid) ? 'quote' : 'mention';
};

/** The rows by which others find these casts: replies by parent, mentions by account, quotes by quoted cast. */
const references = (casts: readonly (Unrooted | CastRow)[]): Omit<CastRows, 'casts'> => {
  const own = (cast: Unrooted | CastRow) => ({
    fid: cast.fid,
    hash: cast.hash,
    ts: cast.ts,
    root_parent_url: 'root_fid' in cast ? cast.root_parent_url : null,
  });
  /** Nobody hears of what he did himself, nor of one cast twice. */
  const notified = (way: Way, fid: number, cast: Unrooted | CastRow): number | null =>
    fid !== cast.fid && wayTo(fid, cast) === way ? fid : null;
  return {
    replies: casts.flatMap((cast) => {
      const { parent_fid: fid, parent_hash, parent_url } = cast;
      if (fid !== null && parent_hash !== null)
        return [{ ...own(cast), parent_fid: fid, parent_hash, notified_fid: notified('reply', fid, cast) }];
      return parent_url === null
        ? []
        : [{ ...own(cast), parent_fid: 0, parent_hash: urlDigest(parent_url), notified_fid: null }];
    }),
    mentions: casts.flatMap((cast) =>
      [...new Set(cast.mentions)].map((fid) => ({
        ...own(cast),
        mentioned_fid: fid,
        notified_fid: notified('mention', fid, cast),
      })),
    ),
    quotes: casts.flatMap((cast) => {
      const quoted = cast.embeds.flatMap((embed) => ('hash' in embed ? [embed] : []));
      const once = new Map(quoted.map((embed) => [`${embed.fid}:${embed.hash}`, embed]));
      return [...once.values()].map(({ fid, hash }) => ({
        ...own(cast),
        quoted_fid: fid,
        quoted_hash: Buffer.from(hash, 'hex'),
        notified_fid: notified('quote', fid, cast),
      }));
    }),
  };
};

const parentOf = (cast: Unrooted): CastId | undefined =>
  cast.parent_fid !== null && cast.parent_hash !== null ? { fid: cast.parent_fid, hash: cast.parent_hash } : undefined;

/**
 * Finds where each thread begins: up through the batch and through what is stored, as far as that goes. A stored
 * cast knows the beginning of its own thread; when that was an absent cast which this batch brings, the way goes on.
 */
const rooted = async (session: Session, casts: readonly Unrooted[]): Promise<CastRow[]> => {
  const inBatch = new Map(casts.map((cast) => [name(cast), cast]));
  const outside = new Map<string, CastId>();
  for (const cast of casts) {
    const parent = parentOf(cast);
    if (parent && !inBatch.has(name(parent))) outside.set(name(parent), parent);
  }
  const stored = new Map((await selectCastRoots(session, [...outside.values()])).map((row) => [name(row), row]));
  const known = new Map<string, CastRoot>();

  /** One step up: a cast of the batch to go on with, or the beginning. */
  const above = (cast: Unrooted): Unrooted | CastRoot => {
    const parent = parentOf(cast);
    if (!parent) return { root_fid: cast.fid, root_hash: cast.hash, root_parent_url: cast.parent_url };
    const next = inBatch.get(name(parent));
    if (next) return next;
    const root = stored.get(name(parent)) ?? { root_fid: parent.fid, root_hash: parent.hash, root_parent_url: null };
    return inBatch.get(name({ fid: root.root_fid, hash: root.root_hash })) ?? root;
  };

  const rootOf = (start: Unrooted): CastRoot => {
    const path: Unrooted[] = [];
    let found: Unrooted | CastRoot = start;
    while (!('root_fid' in found)) {
      path.push(found);
      found = known.get(name(found)) ?? above(found);
    }
    for (const passed of path) known.set(name(passed), found);
    return found;
  };

  return casts.map((cast) => {
    const { root_fid, root_hash, root_parent_url } = rootOf(cast);
    return { ...cast, root_fid, root_hash, root_parent_url };
  });
};

const count = (changes: BatchChanges, casts: readonly Unrooted[], refs: Omit<CastRows, 'casts'>, by: 1 | -1): void => {
  for (const cast of casts) {
    changes.invalidateCast(cast.hash);
    changes.countAccount(cast.fid, 'cast_count', by);
  }
  for (const reply of refs.replies)
    if (reply.parent_fid !== 0) changes.countCast(reply.parent_fid, reply.parent_hash, 'reply_count', by);
  for (const quote of refs.quotes) changes.countCast(quote.quoted_fid, quote.quoted_hash, 'quote_count', by);
};

const invalidate = (changes: BatchChanges, casts: readonly Unrooted[], refs: Omit<CastRows, 'casts'>): void => {
  for (const cast of casts) changes.invalidate(feedOf(cast.fid));
  for (const reply of refs.replies) if (reply.parent_fid !== 0) changes.invalidate(answersTo(reply.parent_fid));
  for (const mention of refs.mentions) changes.invalidate(answersTo(mention.mentioned_fid));
  for (const quote of refs.quotes) changes.invalidate(answersTo(quote.quoted_fid));
};

/** So many casts at once are a load: their counters empty the caches anyway, and looking their reactors up takes long. */
const LOAD = 1_000;

/** A cast may come after the reactions to it, and goes without them: lists of who reacted show only stored casts. */
const invalidateReactors = async (session: Session, casts: readonly CastId[], changes: BatchChanges): Promise<void> => {
  if (casts.length > LOAD) changes.invalidateAll();
  if (changes.isTooLong()) return;
  const reactors = await selectReactors(session, casts, TAG_LIMIT + 1);
  if (reactors.length > TAG_LIMIT) changes.invalidateAll();
  for (const { fid, type } of reactors) {
    changes.invalidate(reactionsOf(fid));
    if (type === ReactionType.RECAST) changes.invalidate(feedOf(fid));
  }
};

/** Casts whose thread begins elsewhere now: what refers to them, or is to them, is under another URL maybe. */
const moved = async (session: Session, casts: readonly CastId[], changes: BatchChanges): Promise<void> => {
  for (const { hash } of casts) changes.invalidateCast(hash);
  await updateReferencePlaces(session, casts);
  await updateGroupPlaces(session, casts);
};

const isAdd = (held: Held | undefined): held is Held => held?.type === MessageType.CAST_ADD;

/**
 * Casts that came or went: their rows, the references by which they are found, the counters of what they refer to,
 * and the beginnings of threads, which the arrival or the loss of a cast in the middle moves.
 */
export const ingestCasts = async (session: Session, transitions: readonly Transition[], changes: BatchChanges) => {
  const gone = transitions.flatMap(({ before }) => (isAdd(before) ? [castRow(before)] : []));
  const come = transitions.flatMap(({ after }) => (isAdd(after) ? [castRow(after)] : []));
  if (gone.length > 0) {
    const refs = references(gone);
    await deleteCasts(session, { casts: gone, ...refs });
    count(changes, gone, refs, -1);
    invalidate(changes, gone, refs);
    await moved(session, await cutCastRoots(session, gone), changes);
    await updateGroupPlaces(session, gone);
    await invalidateReactors(session, gone, changes);
  }
  if (come.length === 0) return;
  const casts = await rooted(session, come);
  const refs = references(casts);
  await insertCasts(session, { casts, ...refs });
  count(changes, come, refs, 1);
  invalidate(changes, come, refs);
  await moved(session, await updateCastRoots(session, casts), changes);
  // Reactions may have come before their cast; groups whose cast is not stored are under no URL.
  const placed = casts.filter((cast) => cast.root_parent_url !== null);
  await updateGroupPlaces(session, placed);
  await invalidateReactors(session, come, changes);
};
