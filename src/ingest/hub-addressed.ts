import { selectAddressedMessages } from '../store/reconcile.js';
import { removeAbsent, removeMessages, type SyncParts } from './hub-absent.js';
import { isUnimplemented } from './hub/client.js';
import { asItems } from './hub-introduction.js';
import { listMessages } from './hub/listing.js';
import { ANYONE, hashKey } from './hub-live-mark.js';
import { inParallel, untilDatabaseAnswers } from './hub/retry.js';
import type { SyncOptions } from './hub-sync.js';
import { readMessageHead } from './wire.js';

/** Casts whose replies and reactions are asked for at once. */
const CONCURRENCY = 4;

/**
 * Brings what others addressed to a chosen account in line with the hub (partial mode): links to it, mentions of it,
 * reactions and replies to its casts, each stored after its author's registration and profile. Quotes cannot be asked
 * for; they come with the stream.
 *
 * Runs beside the live stream as `syncFid` does, by the same rules.
 * @param casts hashes of the account's casts
 * @throws AppError when the hub refuses a call, SubmitStopped when the service stops
 */
export const syncAddressed = async (
  parts: SyncParts,
  fid: number,
  casts: readonly Uint8Array[],
  { announce, remove }: SyncOptions,
): Promise<void> => {
  const { db, client, marks, introductions } = parts;
  const watch = marks.watch(ANYONE);
  const listed = new Set<string>();

  const store = async (wires: readonly Uint8Array[]): Promise<void> => {
    const heads = wires.flatMap((wire) => readMessageHead(wire) ?? []);
    await introductions.meet(heads);
    const taken = new Set(heads.filter(({ hash }) => watch.hasRemoved(hash)).map(({ hash }) => hashKey(hash)));
    const due = wires.filter((wire) => !taken.has(hashKey(readMessageHead(wire)?.hash ?? wire)));
    await introductions.submit(asItems(due), { source: 'backfill', announce });
  };

  /** Each listing notes what it saw by itself: one that answers less must not stop another. */
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
    const held = remove ? await untilDatabaseAnswers(() => selectAddressedMessages(db, fid, casts), parts) : [];
    let isComplete = true;
    const list = async (pages: (seen: Set<string>) => AsyncGenerator<Uint8Array[]>): Promise<void> => {
      const seen = new Set<string>();
      if (!(await take(pages(seen)))) isComplete = false;
      for (const key of seen) listed.add(key);
    };
    // An empty type stands for all link types, as does 0 for all reactions.
    await list((seen) => listMessages(client, 'getLinksByTarget', { targetFid: fid, linkType: '' }, parts, seen));
    await list((seen) => listMessages(client, 'getCastsByMention', { fid }, parts, seen));
    await inParallel(casts, CONCURRENCY, async (hash) => {
      const cast = { fid, hash };
      await list((seen) =>
        listMessages(client, 'getReactionsByTarget', { targetCastId: cast, reactionType: 0 }, parts, seen),
      );
      await list((seen) => listMessages(client, 'getCastsByParent', { parentCastId: cast }, parts, seen));
    });
    const absent = held.filter(({ hash }) => !listed.has(hashKey(hash)));
    if (isComplete) await removeAbsent(parts, absent, watch, announce);
    await removeMessages(parts, watch.takenAway(), announce);
  } finally {
    watch.end();
  }
};
