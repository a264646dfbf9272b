import { MessageType, type ReactionBody } from '@farcaster/core';
import { conflictKey, MessageSet } from '../../protocol/conflict.js';
import type { ProtocolMessage } from '../../protocol/wire/message.js';
import { readQuery } from '../query-function.js';
import { followersOf, followsOf, reactionsOf, relationsOf } from '../tag.js';

export interface ViewerLinkRow {
  readonly fid: number;
  readonly target_fid: number;
  /** 1 follow, 2 block. */
  readonly type: number;
}

const keyOf = (type: MessageType, data: object): Uint8Array => conflictKey({ type, data } as ProtocolMessage).key;

const linkKeys = (targetFid: number): Uint8Array[] =>
  ['follow', 'block'].map((type) => keyOf(MessageType.LINK_ADD, { linkBody: { type, targetFid } }));

// Both directions are read by the following fid and the exact conflict key, the first columns of the primary key.
/** @returns follows and blocks between the viewer and these accounts, in either direction. */
export const selectViewerLinks = readQuery<ViewerLinkRow>(
  'viewer_link',
  `select fid, target_fid, subtype as type
     from message
    where fid = $1 and message_set = ${MessageSet.link} and key = any($2::bytea[])
      and type = ${MessageType.LINK_ADD} and not void
   union all
   select fid, target_fid, subtype as type
     from message
    where fid = any($3::bigint[]) and message_set = ${MessageSet.link} and key = any($4::bytea[])
      and type = ${MessageType.LINK_ADD} and not void`,
  ([viewer]) => [followsOf, followersOf, relationsOf].map((of) => of(viewer as number)),
).rows((viewer: number, fids: readonly number[]) => [viewer, fids.flatMap(linkKeys), fids, linkKeys(viewer)]);

export interface ViewerReactionRow {
  /** Hash of the cast, hex without 0x. */
  readonly hash: string;
  /** 1 like, 2 recast. */
  readonly type: number;
}

const reactionKeys = (cast: { fid: number; hash: string }): Uint8Array[] =>
  [1, 2].map((type) => {
    const targetCastId = { fid: cast.fid, hash: Buffer.from(cast.hash, 'hex') };
    return keyOf(MessageType.REACTION_ADD, { reactionBody: { type, targetCastId } satisfies ReactionBody });
  });

export const selectViewerReactions = readQuery<ViewerReactionRow>(
  'viewer_reaction',
  `select encode(target_hash, 'hex') as hash, subtype as type
     from message
    where fid = $1 and message_set = ${MessageSet.reaction} and key = any($2::bytea[])
      and type = ${MessageType.REACTION_ADD}`,
  ([viewer]) => [reactionsOf(viewer as number)],
).rows((viewer: number, casts: readonly { readonly fid: number; readonly hash: string }[]) => [
  viewer,
  casts.flatMap(reactionKeys),
]);
