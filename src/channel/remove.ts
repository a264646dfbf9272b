import type { Session } from '../db/statement.js';
import { invalidField } from '../error.js';
import type { UsableSigner } from '../signer/signers.js';
import { deleteInvite } from '../store/channel/invite.js';
import { type ChannelRole, deleteMember, lockChannel, selectRole } from '../store/channel/member.js';
import { insertRestriction } from '../store/channel/restriction.js';
import { askRemote, type ChannelDependencies, membershipInvalidation, requireInvitedRole } from './channel.js';
import type { InvitedRole } from './remote.js';

/** Members are removed by the owner and moderators, moderators by the owner, and everybody may leave. @throws AppError */
const requireRemover = async (
  session: Session,
  removal: { readonly channelId: string; readonly remover: number; readonly fid: number; readonly role: InvitedRole },
): Promise<void> => {
  const { channelId, remover, fid, role } = removal;
  if (remover === fid) return;
  const own = await selectRole(session, channelId, remover);
  if (own === 'owner' || (own === 'moderator' && role === 'member')) return;
  const who = role === 'moderator' ? 'the owner of the channel' : 'the owner and moderators of the channel';
  throw invalidField('signer_uuid', `signer_uuid must be a signer of ${who}, or of the account that leaves`);
};

/**
 * Removes a role of an account in a channel, and an open invite to it. An account without them need not be removed.
 * @throws AppError not_found for an unknown channel, invalid when the signer's account may not do it
 */
export const removeMember = async (
  deps: ChannelDependencies,
  signer: UsableSigner,
  channelId: string,
  fid: number,
  wanted: ChannelRole,
): Promise<void> => {
  const role = requireInvitedRole(wanted);
  const isAsked = await askRemote(deps, channelId, (remote) => remote.remove(signer, channelId, fid, role));
  await deps.writeAndInvalidate(membershipInvalidation(channelId, fid), async (session) => {
    await lockChannel(session, channelId);
    if (!isAsked) await requireRemover(session, { channelId, remover: signer.fid, fid, role });
    const wasMember = await deleteMember(session, channelId, fid, role);
    await deleteInvite(session, channelId, fid, role);
    // Clients invite nobody again whom they removed.
    if (wasMember && isAsked && signer.fid !== fid) {
      await insertRestriction(session, channelId, fid, 'restricted', new Date(deps.clock()));
    }
  });
};
