import Type from 'typebox';
import { HOUR_MS } from '../../duration.js';
import { type SyncedList, selectDueChannels, upsertChannelSync } from '../../store/channel/mirror.js';
import { replaceFollowers, replaceListedMembers, replaceRestrictions } from '../../store/channel/mirror-detail.js';
import { taggedTransaction } from '../../store/invalidating-transaction.js';
import { channelOf, channelsOfAccount } from '../../store/tag.js';
import type { MirrorDependencies } from './channel-sync.js';
import { isAway } from './http.js';
import { dateOf, Fid, readPages, Seconds, uniqueByFid } from './page.js';

const MEMBERS = {
  path: '/fc/channel-members',
  member: 'members',
  item: Type.Object({ fid: Fid, memberAt: Seconds }),
} as const;
const INVITES = {
  path: '/fc/channel-invites',
  member: 'invites',
  item: Type.Object({
    invitedFid: Fid,
    inviterFid: Fid,
    invitedAt: Seconds,
    role: Type.Enum(['member', 'moderator'], { type: 'string' }),
  }),
} as const;
const RESTRICTED = {
  path: '/fc/channel-restricted-users',
  member: 'restrictedUsers',
  item: Type.Object({ fid: Fid, restrictedAt: Seconds }),
} as const;
const BANNED = {
  path: '/fc/channel-bans',
  member: 'bannedUsers',
  item: Type.Object({ fid: Fid, bannedAt: Seconds }),
} as const;

/**
 * Makes the stored members, open invites and restrictions of a channel those that the client names.
 * @throws as `readPages`; nothing is changed then
 */
const syncMembers = async (deps: MirrorDependencies, channelId: string, signal: AbortSignal): Promise<void> => {
  const { client, clock } = deps;
  const requested = new Date(clock());
  const members = await readPages(client, MEMBERS, channelId, signal);
  const invites = await readPages(client, INVITES, channelId, signal);
  const restricted = await readPages(client, RESTRICTED, channelId, signal);
  const banned = await readPages(client, BANNED, channelId, signal);
  const memberRows = uniqueByFid(members.map(({ fid, memberAt }) => ({ fid, at: dateOf(memberAt) })));
  const inviteRows = uniqueByFid(
    invites.map(({ invitedFid, inviterFid, invitedAt, role }) => ({
      fid: invitedFid,
      at: dateOf(invitedAt),
      inviterFid,
      role,
    })),
  );
  // A ban counts more than a restriction.
  const restrictionRows = uniqueByFid([
    ...banned.map(({ fid, bannedAt }) => ({ fid, at: dateOf(bannedAt), kind: 'banned' as const })),
    ...restricted.map(({ fid, restrictedAt }) => ({ fid, at: dateOf(restrictedAt), kind: 'restricted' as const })),
  ]);
  await taggedTransaction(deps, async (session, tags) => {
    const listed = { members: memberRows, invites: inviteRows };
    const changed = await replaceListedMembers(session, channelId, requested, listed);
    for (const fid of changed) tags.add(channelOf(channelId)).add(channelsOfAccount(fid));
    await replaceRestrictions(session, channelId, requested, restrictionRows);
  });
};

const FOLLOWERS = {
  path: '/v1/channel-followers',
  member: 'users',
  item: Type.Object({ fid: Fid, followedAt: Seconds }),
} as const;

/**
 * Makes the stored followers of a channel those that the client names. An account that stops following while they are
 * read may follow again until the next time.
 * @throws as `readPages`; nothing is changed then
 */
const syncFollowers = async (deps: MirrorDependencies, channelId: string, signal: AbortSignal): Promise<void> => {
  const requested = new Date(deps.clock());
  const users = await readPages(deps.client, FOLLOWERS, channelId, signal);
  const rows = uniqueByFid(users.map(({ fid, followedAt }) => ({ fid, at: dateOf(followedAt) })));
  await taggedTransaction(deps, async (session, tags) => {
    const changed = await replaceFollowers(session, channelId, requested, rows);
    for (const fid of changed) tags.add(channelOf(channelId)).add(channelsOfAccount(fid));
  });
};

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
