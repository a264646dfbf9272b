import { MessageType, ReactionType } from '@farcaster/core';
import { AppError } from '../error.js';
import type { UsableSigner } from '../signer/signers.js';
import { deleteChannelFollow, insertChannelFollow } from '../store/channel/follow.js';
import { selectRestriction } from '../store/channel/restriction.js';
import { askRemote, type ChannelDependencies, membershipInvalidation, requireChannel } from './channel.js';

/**
 * Follows or unfollows a channel of the network: a like of its URL says so, and ingest stores the follow with it.
 * @returns false for a channel of another source
 * @throws AppError not_found for an unknown channel, forbidden where such follows are not written; those of `Writer.write`
 */
const writeFollow = async (
  { db, writer }: ChannelDependencies,
  signer: UsableSigner,
  channelId: string,
  type: MessageType.REACTION_ADD | MessageType.REACTION_REMOVE,
): Promise<boolean> => {
  const { source, parentUrl } = await requireChannel(db, channelId);
  if (source !== 'protocol') return false;
  if (writer === undefined) {
    const message = `The channel ${channelId} is the network's own, and this server writes no follows of such channels (CASTELLAN_PROTOCOL_CHANNELS).`;
    throw new AppError('forbidden', 'Forbidden', message, { property: 'channel_id' });
  }
  const draft = { type, reactionBody: { type: ReactionType.LIKE, targetUrl: parentUrl } };
  await writer.write(signer, draft, { unlessStored: true });
  return true;
};

/**
 * Makes the signer's account follow a channel; one that does already goes on doing so.
 * @throws AppError not_found for an unknown channel, forbidden for one that banned the account
 */
export const followChannel = async (
  deps: ChannelDependencies,
  signer: UsableSigner,
  channelId: string,
): Promise<void> => {
  if (await writeFollow(deps, signer, channelId, MessageType.REACTION_ADD)) return;
  const isAsked = await askRemote(deps, channelId, (remote) => remote.follow(signer, channelId));
  await deps.writeAndInvalidate(membershipInvalidation(channelId, signer.fid), async (session) => {
    if (!isAsked && (await selectRestriction(session, channelId, signer.fid)) === 'banned') {
      const message = `The account ${signer.fid} is banned from the channel ${channelId} and cannot follow it.`;
      throw new AppError('forbidden', 'Forbidden', message, { property: 'channel_id' });
    }
    await insertChannelFollow(session, channelId, signer.fid, new Date(deps.clock()));
  });
};

/**
 * Makes the signer's account stop following a channel; one that does not follow it need not stop.
 * @throws AppError not_found for an unknown channel
 */
export const unfollowChannel = async (
  deps: ChannelDependencies,
  signer: UsableSigner,
  channelId: string,
): Promise<void> => {
  if (await writeFollow(deps, signer, channelId, MessageType.REACTION_REMOVE)) return;
  await askRemote(deps, channelId, (remote) => remote.unfollow(signer, channelId));
  await deps.writeAndInvalidate(membershipInvalidation(channelId, signer.fid), async (session) => {
    await deleteChannelFollow(session, channelId, signer.fid);
  });
};
