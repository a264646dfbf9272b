import { AppError } from '../error.js';
import type { UsableSigner } from '../signer/signers.js';
import { deleteChannelFollow, insertChannelFollow } from '../store/channel/follow.js';
import { selectRestriction } from '../store/channel/restriction.js';
import { askRemote, type ChannelDependencies, changeOf } from './channel.js';

/**
 * Makes the signer's account follow a channel; one that does already goes on doing so.
 * @throws AppError not_found for an unknown channel, forbidden for one that banned the account
 */
export const followChannel = async (
  deps: ChannelDependencies,
  signer: UsableSigner,
  channelId: string,
): Promise<void> => {
  const isAsked = await askRemote(deps, channelId, (remote) => remote.follow(signer, channelId));
  await deps.change(changeOf(channelId, signer.fid), async (session) => {
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
  await askRemote(deps, channelId, (remote) => remote.unfollow(signer, channelId));
  await deps.change(changeOf(channelId, signer.fid), async (session) => {
    await deleteChannelFollow(session, channelId, signer.fid);
  });
};
