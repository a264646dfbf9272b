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
    parentFid: body?.parentCastId?.fid ?? null,
    parentHash: body?.parentCastId?.hash ?? null,
    parentUrl: body?.parentUrl === undefined ? null : storable(body.parentUrl),
    mentions: body?.mentions ?? [],
    mentionPositions: body?.mentionsPositions ?? [],
    embeds: [
      ...(body?.embedsDeprecated ?? []).map((url) => ({ url: storable(url) })),
      ...(body?.embeds ?? []).flatMap(embedOf),
    ],
    signer: message.signer,
  };
};

type NotificationType = 'reply' | 'quote' | 'mention';

/** @returns how a cast notifies an account, if at all: reply takes precedence over quote over mention */
const notificationTypeFor = (fid: number, { parentFid, embeds }: CastWithoutRoot): NotificationType => {
  if (parentFid === fid) return 'reply';
  return embeds.some((embed) => 'hash' in embed && embed.fid === fid) ? 'quote' : 'mention';
};

/** Rows that refer from parents, mentioned accounts and quoted casts to these casts. */
const references = (casts: readonly (CastWithoutRoot | StoredCast)[]): Omit<CastRows, 'casts'> => {
  const own = (cast: CastWithoutRoot | StoredCast) => ({
    fid: cast.fid,
    hash: cast.hash,
    ts: cast.ts,
    rootParentUrl: 'rootFid' in cast ? cast.rootParentUrl : null,
  });
  /** A cast does not notify its own author, and notifies each account at most once. */
  const notified = (type: NotificationType, fid: number, cast: CastWithoutRoot | StoredCast): number | null =>
    fid !== cast.fid && notificationTypeFor(fid, cast) === type ? fid : null;
  return {
    replies: casts.flatMap((cast) => {
      const { parentFid: fid, parentHash, parentUrl } = cast;
      if (fid !== null && parentHash !== null)
        return [{ ...own(cast), parentFid: fid, parentHash, notifiedFid: notified('reply', fid, cast) }];
      return parentUrl === null
        ? []
        : [{ ...own(cast), parentFid: 0, parentHash: urlDigest(parentUrl), notifiedFid: null }];
    }),
    mentions: casts.flatMap((cast) =>
      [...new Set(cast.mentions)].map((fid) => ({
        ...own(cast),
        mentionedFid: fid,
        notifiedFid: notified('mention', fid, cast),
      })),
    ),
    quotes: casts.flatMap((cast) => {
      const quoted = cast.embeds.flatMap((embed) => ('hash' in embed ? [embed] : []));
      const once = new Map(quoted.map((embed) => [`${embed.fid}:${embed.hash}`, embed]));
      return [...once.values()].map(({ fid, hash }) => ({
        ...own(cast),
        quotedFid: fid,
        quotedHash: Buffer.from(hash, 'hex'),
        notifiedFid: notified('quote', fid, cast),
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
    changes.countAccount(cast.fid, 'castCount', by);
  }
  for (const reply of refs.replies)
    if (reply.parentFid !== 0) changes.countCast(reply.parentFid, reply.parentHash, 'replyCount', by);
  for (const quote of refs.quotes) changes.countCast(quote.quotedFid, quote.quotedHash, 'quoteCount', by);
};

const invalidate = (changes: BatchChanges, casts: readonly CastWithoutRoot[], refs: Omit<CastRows, 'casts'>): void => {
  for (const cast of casts) changes.invalidate(feedOf(cast.fid));
  for (const reply of refs.replies)
    if (reply.parentFid !== 0) changes.invalidate(repliesAndReactionsTo(reply.parentFid));
  for (const mention of refs.mentions) changes.invalidate(repliesAndReactionsTo(mention.mentionedFid));
  for (const quote of refs.quotes) changes.invalidate(repliesAndReactionsTo(quote.quotedFid));
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
  const unstored = casts.filter((cast) => !stored.has(castKey(cast)) && (cast.parentHash ?? cast.parentUrl) !== null);
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
  const inThreadOfUrl = stored.filter((cast) => cast.rootParentUrl !== null);
  await updateGroupThreadRoots(session, inThreadOfUrl);
  await invalidateReactors(session, added, changes);
};
