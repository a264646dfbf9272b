import { type Embed, MessageType, ReactionType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
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
} from '../../store/protocol/cast.js';
import { updateGroupThreadRoots, updateReferenceThreadRoots } from '../../store/protocol/cast-thread-root.js';
import { selectReactors } from '../../store/protocol/reaction.js';
import { storable } from '../../store/protocol/text.js';
import { feedOf, reactionsOf, repliesAndReactionsTo } from '../../store/tag.js';
import { type BatchChanges, TAG_LIMIT } from '../batch-changes.js';
import type { Transition } from '../merge.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

const castKey = ({ fid, hash }: CastId): string => `${fid}:${Buffer.from(hash).toString('latin1')}`;

type CastWithoutRoot = Omit<CastRow, keyof CastRoot>;

const embedOf = (embed: Embed): CastRow['embeds'] => {
  if (embed.castId) return [{ fid: embed.castId.fid, hash: bareHex(embed.castId.hash) }];
  return embed.url === undefined ? [] : [{ url: storable(embed.url) }];
};

const castRow = (message: StoredMessage): CastWithoutRoot => {
  const body = decodedOf(message).data.castAddBody;
  return {
    fid: message.fid,
    hash: message.hash,
    ts: message.ts,
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
    signer: message.signer,
  };
};

type NotificationType = 'reply' | 'quote' | 'mention';

/** @returns how a cast notifies an account, if at all: reply takes precedence over quote over mention */
const notificationTypeFor = (fid: number, { parent_fid, embeds }: CastWithoutRoot): NotificationType => {
  if (parent_fid === fid) return 'reply';
  return embeds.some((embed) => 'hash' in embed && embed.fid === fid) ? 'quote' : 'mention';
};

/** Rows that refer from parents, mentioned accounts and quoted casts to these casts. */
const references = (casts: readonly (CastWithoutRoot | CastRow)[]): Omit<CastRows, 'casts'> => {
  const own = (cast: CastWithoutRoot | CastRow) => ({
    fid: cast.fid,
    hash: cast.hash,
    ts: cast.ts,
    root_parent_url: 'root_fid' in cast ? cast.root_parent_url : null,
  });
  /** A cast does not notify its own author, and notifies each account at most once. */
  const notified = (way: NotificationType, fid: number, cast: CastWithoutRoot | CastRow): number | null =>
    fid !== cast.fid && notificationTypeFor(fid, cast) === way ? fid : null;
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

const parentOf = (cast: CastWithoutRoot): CastId | undefined =>
  cast.parent_fid !== null && cast.parent_hash !== null ? { fid: cast.parent_fid, hash: cast.parent_hash } : undefined;

/**
 * Finds the root of each thread among the batch and the stored casts. A stored cast has the root of its thread; if that
 * root was missing and is in this batch, the search continues from there.
 */
const withRoots = async (session: Session, casts: readonly CastWithoutRoot[]): Promise<CastRow[]> => {
  const inBatch = new Map(casts.map((cast) => [castKey(cast), cast]));
  const outside = new Map<string, CastId>();
  for (const cast of casts) {
    const parent = parentOf(cast);
    if (parent && !inBatch.has(castKey(parent))) outside.set(castKey(parent), parent);
  }
  const stored = new Map((await selectCastRoots(session, [...outside.values()])).map((row) => [castKey(row), row]));
  const known = new Map<string, CastRoot>();

  /** One step up: a cast of the batch to continue with, or the root. */
  const parentOrRoot = (cast: CastWithoutRoot): CastWithoutRoot | CastRoot => {
    const parent = parentOf(cast);
    if (!parent) return { root_fid: cast.fid, root_hash: cast.hash, root_parent_url: cast.parent_url };
    const next = inBatch.get(castKey(parent));
    if (next) return next;
    const root = stored.get(castKey(parent)) ?? { root_fid: parent.fid, root_hash: parent.hash, root_parent_url: null };
    return inBatch.get(castKey({ fid: root.root_fid, hash: root.root_hash })) ?? root;
  };

  const rootOf = (start: CastWithoutRoot): CastRoot => {
    const path: CastWithoutRoot[] = [];
    let found: CastWithoutRoot | CastRoot = start;
    while (!('root_fid' in found)) {
      path.push(found);
      found = known.get(castKey(found)) ?? parentOrRoot(found);
    }
    for (const passed of path) known.set(castKey(passed), found);
    return found;
  };

  return casts.map((cast) => {
    const { root_fid, root_hash, root_parent_url } = rootOf(cast);
    return { ...cast, root_fid, root_hash, root_parent_url };
  });
};

const count = (
  changes: BatchChanges,
  casts: readonly CastWithoutRoot[],
  refs: Omit<CastRows, 'casts'>,
  by: 1 | -1,
): void => {
  for (const cast of casts) {
    changes.invalidateCast(cast.hash);
    changes.countAccount(cast.fid, 'cast_count', by);
  }
  for (const reply of refs.replies)
    if (reply.parent_fid !== 0) changes.countCast(reply.parent_fid, reply.parent_hash, 'reply_count', by);
  for (const quote of refs.quotes) changes.countCast(quote.quoted_fid, quote.quoted_hash, 'quote_count', by);
};

const invalidate = (changes: BatchChanges, casts: readonly CastWithoutRoot[], refs: Omit<CastRows, 'casts'>): void => {
  for (const cast of casts) changes.invalidate(feedOf(cast.fid));
  for (const reply of refs.replies)
    if (reply.parent_fid !== 0) changes.invalidate(repliesAndReactionsTo(reply.parent_fid));
  for (const mention of refs.mentions) changes.invalidate(repliesAndReactionsTo(mention.mentioned_fid));
  for (const quote of refs.quotes) changes.invalidate(repliesAndReactionsTo(quote.quoted_fid));
};

/** With more casts in a batch, all caches are emptied: to look up everybody who reacted to them would cost more. */
const MAX_REACTOR_LOOKUPS = 1_000;

/** Reactions may be stored before their cast and remain after it; lists of reactors show only stored casts. */
const invalidateReactors = async (session: Session, casts: readonly CastId[], changes: BatchChanges): Promise<void> => {
  if (casts.length > MAX_REACTOR_LOOKUPS) changes.invalidateAll();
  if (changes.invalidatesAll()) return;
  const reactors = await selectReactors(session, casts, TAG_LIMIT + 1);
  if (reactors.length > TAG_LIMIT) changes.invalidateAll();
  for (const { fid, type } of reactors) {
    changes.invalidate(reactionsOf(fid));
    if (type === ReactionType.RECAST) changes.invalidate(feedOf(fid));
  }
};

/**
 * A cast whose thread root changed may now belong to another channel, so its replies and references are re-indexed.
 */
const reindexThreads = async (session: Session, casts: readonly CastId[], changes: BatchChanges): Promise<void> => {
  for (const { fid, hash } of casts) {
    changes.invalidateCast(hash);
    changes.invalidate(feedOf(fid));
  }
  await updateReferenceThreadRoots(session, casts);
  await updateGroupThreadRoots(session, casts);
};

const isAdd = (message: StoredMessage | undefined): message is StoredMessage => message?.type === MessageType.CAST_ADD;

/**
 * Stores added and removed casts: rows, references, counters of the casts to which they refer, and thread roots, which
 * change with every cast that arrives or leaves in the middle of a thread.
 */
export const ingestCasts = async (session: Session, transitions: readonly Transition[], changes: BatchChanges) => {
  const removed = transitions.flatMap(({ before }) => (isAdd(before) ? [castRow(before)] : []));
  const added = transitions.flatMap(({ after }) => (isAdd(after) ? [castRow(after)] : []));
  if (removed.length > 0) {
    const refs = references(removed);
    await deleteCasts(session, { casts: removed, ...refs });
    count(changes, removed, refs, -1);
    invalidate(changes, removed, refs);
    await reindexThreads(session, await cutCastRoots(session, removed), changes);
    await updateGroupThreadRoots(session, removed);
    await invalidateReactors(session, removed, changes);
  }
  if (added.length === 0) return;
  const casts = await withRoots(session, added);
  const refs = references(casts);
  await insertCasts(session, { casts, ...refs });
  count(changes, added, refs, 1);
  invalidate(changes, added, refs);
  await reindexThreads(session, await updateCastRoots(session, casts), changes);
  // Reactions may have arrived before their cast; reaction groups of missing casts have no URL.
  const inThreadOfUrl = casts.filter((cast) => cast.root_parent_url !== null);
  await updateGroupThreadRoots(session, inThreadOfUrl);
  await invalidateReactors(session, added, changes);
};
