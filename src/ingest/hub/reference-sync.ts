import { selectReferencingMessages } from '../../store/protocol/stored-message-key.js';
import { readMessageHead } from '../wire.js';
import type { SyncOptions } from './account-sync.js';
import { isUnimplemented } from './client.js';
import { listMessages } from './listing.js';
import { ALL_ACCOUNTS, hashKey } from './live-event-log.js';
import { removeMessages, removeMissingFromHub, type SyncDependencies } from './removed-message.js';
import { inParallel, retryDatabaseCall } from './retry.js';
import { asItems, LISTED } from './signer-resolver.js';

/** Casts whose replies and reactions are read in parallel. */
const CONCURRENCY = 4;

/**
 * Syncs what others addressed to a chosen account (partial mode): links to it, mentions of it, reactions and replies to
 * its casts, each stored after the registration and profile of its author. Hubs have no listing of quotes, which only
 * come with the stream.
 *
 * Runs during the live stream by the rules of `syncFid`.
 * @param casts hashes of the account's casts
 * @throws AppError if the hub rejects a call, SubmitStopped if the service stops
 */
export const syncReferences = async (
  deps: SyncDependencies,
  fid: number,
  casts: readonly Uint8Array[],
  { announce, height }: SyncOptions,
): Promise<void> => {
  const { db, client, marks, signerResolver } = deps;
  const watch = marks.watch(ALL_ACCOUNTS);
  const listed = new Set<string>();

  const store = async (wires: readonly Uint8Array[]): Promise<void> => {
    const heads = wires.flatMap((wire) => readMessageHead(wire) ?? []);
    await signerResolver.ensureKnown(heads);
    const taken = new Set(heads.filter(({ hash }) => watch.hasRemoved(hash)).map(({ hash }) => hashKey(hash)));
    const due = wires.filter((wire) => !taken.has(hashKey(readMessageHead(wire)?.hash ?? wire)));
    await signerResolver.submit(asItems(due), { ...LISTED, announce });
  };

  /** Each listing has its own set of seen messages: a listing that returns less must not end another. */
  const take = async (pages: AsyncGenerator<Uint8Array[]>): Promise<boolean> => {
    try {
      for await (const wires of pages) await store(wires);
      return true;
    } catch (error) {
      if (isUnimplemented(error)) return false;
      throw error;
    }
  };

  try {
    const compared = await retryDatabaseCall(() => selectReferencingMessages(db, fid, casts), deps);
    const reach = compared.length > 0 ? await height.coversStore() : undefined;
    let isComplete = true;
    const list = async (pages: (seen: Set<string>) => AsyncGenerator<Uint8Array[]>): Promise<void> => {
      const seen = new Set<string>();
      if (!(await take(pages(seen)))) isComplete = false;
      for (const key of seen) listed.add(key);
    };
    // An empty type means all link types, and 0 all reactions.
    await list((seen) => listMessages(client, 'getLinksByTarget', { targetFid: fid, linkType: '' }, deps, seen));
    await list((seen) => listMessages(client, 'getCastsByMention', { fid }, deps, seen));
    await inParallel(casts, CONCURRENCY, async (hash) => {
      const cast = { fid, hash };
      await list((seen) =>
        listMessages(client, 'getReactionsByTarget', { targetCastId: cast, reactionType: 0 }, deps, seen),
      );
      await list((seen) => listMessages(client, 'getCastsByParent', { parentCastId: cast }, deps, seen));
    });
    const absent = compared.filter(({ hash }) => !listed.has(hashKey(hash)));
    if (reach && isComplete) await removeMissingFromHub(deps, absent, watch, { announce, reach });
    await removeMessages(deps, watch.removedMessages(), announce);
  } finally {
    watch.end();
  }
};
