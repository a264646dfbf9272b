import type { Session } from '../../db/statement.js';
import { type CastId, type CastRoot, type StoredCast, selectCastRoots } from '../../store/protocol/cast.js';
import { updateGroupThreadRoots, updateReferenceThreadRoots } from '../../store/protocol/cast-thread-root.js';
import { feedOf } from '../../store/tag.js';
import type { BatchChanges } from '../batch-changes.js';

export type CastWithoutRoot = Omit<StoredCast, keyof CastRoot>;

/** @returns a string that is equal for two ids if and only if they name the same cast */
export const castKey = ({ fid, hash }: CastId): string => `${fid}:${Buffer.from(hash).toString('latin1')}`;

const parentOf = (cast: CastWithoutRoot): CastId | undefined =>
  cast.parentFid !== null && cast.parentHash !== null ? { fid: cast.parentFid, hash: cast.parentHash } : undefined;

/**
 * Finds the root of each thread among the batch and the known casts, stored or removed. Each of these has the root of its
 * thread; if that root was missing and is in this batch, the search continues from there.
 */
export const withRoots = async (session: Session, casts: readonly CastWithoutRoot[]): Promise<StoredCast[]> => {
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
    if (!parent) return { rootFid: cast.fid, rootHash: cast.hash, rootParentUrl: cast.parentUrl };
    const next = inBatch.get(castKey(parent));
    if (next) return next;
    const root = stored.get(castKey(parent)) ?? { rootFid: parent.fid, rootHash: parent.hash, rootParentUrl: null };
    return inBatch.get(castKey({ fid: root.rootFid, hash: root.rootHash })) ?? root;
  };

  const rootOf = (start: CastWithoutRoot): CastRoot => {
    const path: CastWithoutRoot[] = [];
    let found: CastWithoutRoot | CastRoot = start;
    while (!('rootFid' in found)) {
      path.push(found);
      found = known.get(castKey(found)) ?? parentOrRoot(found);
    }
    for (const passed of path) known.set(castKey(passed), found);
    return found;
  };

  return casts.map((cast) => {
    const { rootFid, rootHash, rootParentUrl } = rootOf(cast);
    return { ...cast, rootFid, rootHash, rootParentUrl };
  });
};

/**
 * A cast whose thread root changed may now belong to another channel, so its replies and references are re-indexed.
 */
export const reindexThreads = async (
  session: Session,
  casts: readonly CastId[],
  changes: BatchChanges,
): Promise<void> => {
  for (const { fid, hash } of casts) {
    changes.invalidateCast(hash);
    changes.invalidate(feedOf(fid));
  }
  await updateReferenceThreadRoots(session, casts);
  await updateGroupThreadRoots(session, casts);
};
