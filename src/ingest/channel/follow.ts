import { MessageType, ReactionType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { channelIdOfUrl } from '../../protocol/channel/identity.js';
import { toUnixMs } from '../../protocol/time.js';
import { deleteChannelFollow, insertChannelFollow } from '../../store/channel/follow.js';
import { selectShownProtocolChannels } from '../../store/channel/protocol-channel.js';
import { channelOf, channelsOfAccount } from '../../store/tag.js';
import type { BatchChanges } from '../batch-changes.js';
import type { Transition } from '../merge.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

interface Follow {
  readonly fid: number;
  readonly ts: number;
  /** 32 bytes. */
  readonly channelId: Buffer;
}

/** @returns the channel follow that a like expresses; undefined for other reactions */
const followOf = (message: StoredMessage | undefined, registrar: string): Follow | undefined => {
  if (message?.type !== MessageType.REACTION_ADD || message.subtype !== ReactionType.LIKE || message.targetFid !== 0) {
    return undefined;
  }
  const url = decodedOf(message).data.reactionBody?.targetUrl;
  const channelId = url === undefined ? undefined : channelIdOfUrl(registrar, url);
  return channelId && { fid: message.fid, ts: message.ts, channelId };
};

/**
 * Follows and unfollows of the protocol's channels: ordinary likes of their URLs, and their removals. Likes of a channel
 * that is not listed yet are read again when it is listed.
 * @param transitions of reactions
 */
export const ingestChannelFollows = async (
  session: Session,
  transitions: readonly Transition[],
  registrar: string | undefined,
  changes: BatchChanges,
): Promise<void> => {
  if (registrar === undefined) return;
  const changed = transitions.flatMap(({ before, after }) => {
    const [removed, added] = [followOf(before, registrar), followOf(after, registrar)];
    // A like that replaces another one ends the follow and begins a new one, so that the order of batches decides nothing.
    return [...(removed ? [{ ...removed, isFollow: false }] : []), ...(added ? [{ ...added, isFollow: true }] : [])];
  });
  if (changed.length === 0) return;
  const ids = new Map(changed.map(({ channelId }) => [bareHex(channelId), channelId]));
  const shown = new Map(
    (await selectShownProtocolChannels(session, [...ids.values()])).flatMap(({ id, url }) => {
      const channelId = channelIdOfUrl(registrar, url);
      return channelId ? [[bareHex(channelId), id] as const] : [];
    }),
  );
  for (const { fid, ts, channelId, isFollow } of changed) {
    const id = shown.get(bareHex(channelId));
    if (id === undefined) continue;
    const isChanged = isFollow
      ? await insertChannelFollow(session, id, fid, new Date(toUnixMs(ts)))
      : await deleteChannelFollow(session, id, fid);
    if (isChanged) changes.invalidate(channelsOfAccount(fid), channelOf(id));
  }
};
