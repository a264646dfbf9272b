import { type Embed, MessageType, ReactionType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { urlDigest } from '../../protocol/url-digest.js';
import {
  type CastId,
  type CastRows,
  deleteCasts,
  deleteRemovedCasts,
  insertCasts,
  insertRemovedCasts,
  type StoredCast,
  updateCastRoots,
  updateRemovedCastRoots,
} from '../../store/protocol/cast.js';
import { updateGroupThreadRoots } from '../../store/protocol/cast-thread-root.js';
import { selectReactors } from '../../store/protocol/reaction.js';
import { storable } from '../../store/protocol/text.js';
import { feedOf, reactionsOf, repliesAndReactionsTo } from '../../store/tag.js';
import { type BatchChanges, TAG_LIMIT } from '../batch-changes.js';
import type { Transition } from '../merge.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';
import { type CastWithoutRoot, castKey, reindexThreads, withRoots } from './cast-thread.js';

const embedOf = (embed: Embed): StoredCast['embeds'] => {
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
const references = (casts: readonly (CastWithoutRoot | StoredCast)[]): Omit<CastRows, 'casts'> => {
  const own = (cast: CastWithoutRoot | StoredCast) => ({
    fid: cast.fid,
    hash: cast.hash,
    ts: cast.ts,
    root_parent_url: 'root_fid' in cast ? cast.root_parent_url : null,
  });
  /** A cast does not notify its own author, and notifies each account at most once. */
  const notified = (type: NotificationType, fid: number, cast: CastWithoutRoot | StoredCast): number | null =>
    fid !== cast.fid && notificationTypeFor(fid, cast) === type ? fid : null;
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

const isAdd = (message: StoredMessage | undefined): message is StoredMessage => message?.type === MessageType.CAST_ADD;

/** Casts that are known and not stored, each once. Without a parent, a cast is its thread's root in any case. */
const unstoredOf = (casts: readonly CastWithoutRoot[], added: readonly CastWithoutRoot[]): CastWithoutRoot[] => {
  const stored = new Set(added.map(castKey));
  const unstored = casts.filter((cast) => !stored.has(castKey(cast)) && (cast.parent_hash ?? cast.parent_url) !== null);
  return [...new Map(unstored.map((cast) => [castKey(cast), cast])).values()];
};

/**
 * Stores added and removed casts: rows, references, counters of the casts to which they refer, and thread roots. A removed
 * cast keeps its place in the thread, so that nobody moves replies of others by deleting one in the middle. The state
 * does not depend on the order in which a cast, its removal and the replies to it arrive.
 * @param refused valid casts of the batch that are not stored, because a removal was, or followed
 */
export const ingestCasts = async (
  session: Session,
  transitions: readonly Transition[],
  refused: readonly StoredMessage[],
  changes: BatchChanges,
) => {
  const removed = transitions.flatMap(({ before }) => (isAdd(before) ? [castRow(before)] : []));
  const added = transitions.flatMap(({ after }) => (isAdd(after) ? [castRow(after)] : []));
  const unstored = unstoredOf([...removed, ...refused.filter(isAdd).map(castRow)], added);
  if (removed.length > 0) {
    const refs = references(removed);
    await deleteCasts(session, { casts: removed, ...refs });
    count(changes, removed, refs, -1);
    invalidate(changes, removed, refs);
    await updateGroupThreadRoots(session, removed);
    await invalidateReactors(session, removed, changes);
  }
  if (added.length + unstored.length === 0) return;
  const casts = await withRoots(session, [...added, ...unstored]);
  await insertRemovedCasts(session, casts.slice(added.length));
  const stored = casts.slice(0, added.length);
  const refs = references(stored);
  await deleteRemovedCasts(session, stored);
  await insertCasts(session, { casts: stored, ...refs });
  count(changes, added, refs, 1);
  invalidate(changes, added, refs);
  await updateRemovedCastRoots(session, casts);
  await reindexThreads(session, await updateCastRoots(session, casts), changes);
  // Reactions may have arrived before their cast; reaction groups of missing casts have no URL.
  const inThreadOfUrl = stored.filter((cast) => cast.root_parent_url !== null);
  await updateGroupThreadRoots(session, inThreadOfUrl);
  await invalidateReactors(session, added, changes);
};
