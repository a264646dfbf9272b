import { type SyncedList, selectDueChannels, upsertChannelSync } from '../../store/channel/mirror.js';
import type { MirrorDependencies } from './channel-sync.js';
import { syncFollowers } from './follower-sync.js';
import { isAway } from './http.js';
import { syncMembers } from './member-sync.js';

const HOUR_MS = 60 * 60_000;

/** How old a list about a channel may become, and how many channels one run reads. */
const RULES = {
  members: { maxAgeMs: HOUR_MS, channels: 50, sync: syncMembers },
  // The large lists: a channel may have hundreds of pages of followers.
  followers: { maxAgeMs: 6 * HOUR_MS, channels: 20, sync: syncFollowers },
} as const;

const syncDue = async (deps: MirrorDependencies, list: SyncedList, signal: AbortSignal): Promise<void> => {
  const { db, clock, log } = deps;
  const { maxAgeMs, channels, sync } = RULES[list];
  for (const id of await selectDueChannels(db, list, new Date(clock() - maxAgeMs), channels)) {
    signal.throwIfAborted();
    const began = new Date(clock());
    try {
      await sync(deps, id, signal);
    } catch (error) {
      if (signal.aborted || isAway(error)) throw error;
      // Its turn comes again with the others', so that it does not hold them up.
      log.warn({ err: error, channel: id, list }, 'a list about a channel could not be read; the stored one is kept');
    }
    await upsertChannelSync(db, list, id, began);
  }
};

/**
 * Reads members and followers of some channels in use, those first whose lists are the oldest.
 * @throws AppError if the client does not answer; what was read until then is stored
 */
export const syncDetails = async (deps: MirrorDependencies, signal: AbortSignal): Promise<void> => {
  await syncDue(deps, 'members', signal);
  await syncDue(deps, 'followers', signal);
};
