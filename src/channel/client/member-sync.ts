import Type from 'typebox';
import { replaceListedMembers, replaceRestrictions } from '../../store/channel/mirror-detail.js';
import { taggedTransaction } from '../../store/invalidating-transaction.js';
import { channelOf, channelsOfAccount } from '../../store/tag.js';
import type { MirrorDependencies } from './channel-sync.js';
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
export const syncMembers = async (deps: MirrorDependencies, channelId: string, signal: AbortSignal): Promise<void> => {
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
