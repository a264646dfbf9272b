import type { Session } from '../db/statement.js';
import { HOUR_MS } from '../duration.js';
import { AppError, invalidField } from '../error.js';
import type { UsableSigner } from '../signer/signers.js';
import { upsertRateLimits } from '../store/access/rate-limit.js';
import { isFollowed } from '../store/channel/follow.js';
import { deleteInvite, selectInvite, upsertInvite } from '../store/channel/invite.js';
import {
  type ChannelRole,
  lockChannel,
  selectModeratorCount,
  selectRole,
  upsertMember,
} from '../store/channel/member.js';
import { selectRestriction } from '../store/channel/restriction.js';
import { askRemote, type ChannelDependencies, membershipInvalidation, requireInvitedRole } from './channel.js';
import type { InvitedRole } from './remote.js';

/** Moderators of a channel, open invites of moderators included (docs of the client API, "Channel invites"). */
export const MAX_MODERATORS = 10;
/** Invites by one account to one channel. */
const INVITES_PER_HOUR = 100;

interface Invite {
  readonly channelId: string;
  readonly inviterFid: number;
  readonly fid: number;
  readonly role: InvitedRole;
}

/** Who may invite whom (docs of the client API, "Channel invites"). @throws AppError invalid */
const requireInvitable = async (session: Session, { channelId, inviterFid, fid, role }: Invite): Promise<void> => {
  const inviterRole = await selectRole(session, channelId, inviterFid);
  const invitedRole = await selectRole(session, channelId, fid);
  if (inviterRole !== 'owner' && (role === 'moderator' || inviterRole !== 'moderator')) {
    const who = role === 'moderator' ? 'the owner of the channel' : 'the owner and moderators of the channel';
    throw invalidField('signer_uuid', `signer_uuid must be a signer of ${who}: others cannot invite a ${role}`);
  }
  if (invitedRole === role || invitedRole === 'owner' || (invitedRole === 'moderator' && role === 'member')) {
    throw invalidField(
      'fid',
      `fid must be an account that is not yet ${role} of the channel: ${fid} is ${invitedRole}`,
    );
  }
  if (await selectRestriction(session, channelId, fid)) {
    throw invalidField('fid', `fid must be an account that may join the channel: ${fid} was removed or banned`);
  }
  if (role === 'moderator' && invitedRole !== 'member') {
    throw invalidField('fid', `fid must be a member of the channel to become its moderator: ${fid} is none`);
  }
  if (role === 'member' && !(await isFollowed(session, { channelId, inviterFid, fid }))) {
    throw invalidField(
      'fid',
      `fid must be an account that follows the channel or the one that invites it: ${fid} does not`,
    );
  }
  if (role === 'moderator' && (await selectModeratorCount(session, channelId, fid)) >= MAX_MODERATORS) {
    throw invalidField(
      'role',
      `role must be member: the channel has ${MAX_MODERATORS} moderators, open invites included`,
    );
  }
};

const requireFewInvites = async ({ db, clock }: ChannelDependencies, { channelId, inviterFid }: Invite) => {
  const added = [{ key: `channel-invite:${channelId}:${inviterFid}`, points: 1 }];
  const [count] = await upsertRateLimits(db, added, { now: clock(), windowMs: HOUR_MS });
  if (count === undefined || count.points <= INVITES_PER_HOUR) return;
  const message = `An account can send ${INVITES_PER_HOUR} invites an hour to one channel.`;
  const retryAfter = Math.max(1, Math.ceil((count.expire - clock()) / 1000));
  throw new AppError('too_many', 'RateLimited', message, { retryAfter });
};

/**
 * Invites an account to a role in a channel. An open invite to the same role stays, one to another role is replaced.
 * @throws AppError not_found for an unknown channel, invalid when the rules do not allow the invite, too_many
 */
export const inviteMember = async (
  deps: ChannelDependencies,
  signer: UsableSigner,
  channelId: string,
  fid: number,
  wanted: ChannelRole,
): Promise<void> => {
  const invite = { channelId, inviterFid: signer.fid, fid, role: requireInvitedRole(wanted) };
  await requireFewInvites(deps, invite);
  const isAsked = await askRemote(deps, channelId, (remote) => remote.invite(signer, channelId, fid, invite.role));
  await deps.writeAndInvalidate(membershipInvalidation(channelId, fid), async (session) => {
    // Locked, so that two invites at once do not both find room for the tenth moderator.
    await lockChannel(session, channelId);
    if (!isAsked) await requireInvitable(session, invite);
    await upsertInvite(session, { ...invite, invitedAt: new Date(deps.clock()) });
  });
};

/** @throws AppError invalid */
const requireInvite = async (session: Session, channelId: string, fid: number, role: InvitedRole): Promise<void> => {
  const invited = await selectInvite(session, channelId, fid);
  if (invited === undefined) {
    throw invalidField('channel_id', `channel_id must be a channel with an open invite of ${fid}: there is none`);
  }
  if (invited !== role) throw invalidField('role', `role must be ${invited}, the role of the invite`);
};

/**
 * Accepts or declines an open invite of the signer's account, which ends with it.
 * @throws AppError not_found for an unknown channel, invalid without an open invite, or for another role than the invite's
 */
export const respondToInvite = async (
  deps: ChannelDependencies,
  signer: UsableSigner,
  channelId: string,
  role: ChannelRole,
  accept: boolean,
): Promise<void> => {
  const { fid } = signer;
  const given = requireInvitedRole(role);
  const isAsked = await askRemote(deps, channelId, (remote) => remote.respond(signer, channelId, given, accept));
  await deps.writeAndInvalidate(membershipInvalidation(channelId, fid), async (session) => {
    await lockChannel(session, channelId);
    if (!isAsked) await requireInvite(session, channelId, fid, given);
    await deleteInvite(session, channelId, fid, given);
    if (accept) await upsertMember(session, { channelId, fid, role: given, since: new Date(deps.clock()) });
  });
};
