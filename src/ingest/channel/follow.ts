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

/** @returns the follow of a channel that a like is; undefined for other reactions */
const followOf = (held: StoredMessage | undefined, registrar: string): Follow | undefined => {
  if (held?.type !== MessageType.REACTION_ADD || held.subtype !== ReactionType.LIKE || held.target_fid !== 0) {
    return undefined;
  }
  const url = decodedOf(held).data.reactionBody?.targetUrl;
  const channelId = url === undefined ? undefined : channelIdOfUrl(registrar, url);
  return channelId && { fid: held.fid, ts: held.ts, channelId };
};

/**
 * Follows and unfollows of the protocol's channels: ordinary likes of their URLs, and their removals. A like of a
 * channel that is not shown yet is read when it is.
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
    const [gone, come] = [followOf(before, registrar), followOf(after, registrar)];
    // A repeated like keeps the time of the first follow.
    if (gone && come) return [];
    return [...(gone ? [{ ...gone, isFollow: false }] : []), ...(come ? [{ ...come, isFollow: true }] : [])];
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
