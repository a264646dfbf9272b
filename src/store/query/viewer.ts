import { MessageType, type ReactionBody } from '@farcaster/core';
import { conflictKey, MessageSet } from '../../protocol/conflict.js';
import type { ProtocolMessage } from '../../protocol/wire/message.js';
import { readQuery } from '../query-function.js';
import { followersOf, followsOf, reactionsOf, relationsOf } from '../tag.js';

const keyOf = (type: MessageType, data: object): Uint8Array => conflictKey({ type, data } as ProtocolMessage).key;

const linkKeys = (targetFid: number): Uint8Array[] =>
  ['follow', 'block'].map((type) => keyOf(MessageType.LINK_ADD, { linkBody: { type, targetFid } }));

// Both directions are read by the following fid and the exact conflict key, the first columns of the primary key.
/** @returns follows (`type` 1) and blocks (2) between the viewer and these accounts, in either direction */
export const selectViewerLinks = readQuery(
  'viewer_link',
  `select fid as "fid!", target_fid as "targetFid!", subtype as "type!"
     from message
    where fid = :viewer and message_set = ${MessageSet.link} and key = any(:keys::bytea[])
      and type = ${MessageType.LINK_ADD} and not void
   union all
   select fid as "fid!", target_fid as "targetFid!", subtype as "type!"
     from message
    where fid = any(:fids::bigint[]) and message_set = ${MessageSet.link} and key = any(:keysOfViewer::bytea[])
      and type = ${MessageType.LINK_ADD} and not void`,
  ({ viewer }) => [followsOf, followersOf, relationsOf].map((of) => of(viewer)),
).rows((viewer: number, fids: readonly number[]) => ({
  viewer,
  keys: fids.flatMap(linkKeys),
  fids,
  keysOfViewer: linkKeys(viewer),
}));

const reactionKeys = (cast: { fid: number; hash: string }): Uint8Array[] =>
  [1, 2].map((type) => {
    const targetCastId = { fid: cast.fid, hash: Buffer.from(cast.hash, 'hex') };
    return keyOf(MessageType.REACTION_ADD, { reactionBody: { type, targetCastId } satisfies ReactionBody });
  });

/** @returns likes (`type` 1) and recasts (2) of these casts by the viewer; `hash` is hex without 0x */
export const selectViewerReactions = readQuery(
  'viewer_reaction',
  `select encode(target_hash, 'hex') as "hash!", subtype as type
     from message
    where fid = :viewer and message_set = ${MessageSet.reaction} and key = any(:casts::bytea[])
      and type = ${MessageType.REACTION_ADD}`,
  ({ viewer }) => [reactionsOf(viewer)],
).rows((viewer: number, casts: readonly { readonly fid: number; readonly hash: string }[]) => ({
  viewer,
  casts: casts.flatMap(reactionKeys),
}));
