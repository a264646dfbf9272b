import { type MessageData, MessageType } from '@farcaster/core';
import type { ProtocolMessage } from '../protocol/wire/message.js';

/** Which messages a database of chosen accounts takes (partial mode). */
export interface FidFilter {
  /** The chosen accounts. */
  readonly fids: ReadonlySet<number>;
  /** Messages of the chosen, what is addressed to them, and the profiles of admitted strangers. */
  readonly accepts: (message: ProtocolMessage) => boolean;
  /** True for a chosen account and for an admitted stranger. */
  knows(fid: number): boolean;
  /** Lets in the profile of an account that addressed a chosen one. */
  admit(fid: number): void;
}

/**
 * Kinds by which an admitted stranger stays what it is: its profile and keys, and what takes back an earlier message
 * of its without naming whom that was addressed to.
 */
const UPKEEP: ReadonlySet<number> = new Set([
  MessageType.USER_DATA_ADD,
  MessageType.USERNAME_PROOF,
  MessageType.VERIFICATION_ADD_ETH_ADDRESS,
  MessageType.VERIFICATION_REMOVE,
  MessageType.KEY_ADD,
  MessageType.KEY_REMOVE,
  MessageType.CAST_REMOVE,
  MessageType.LINK_COMPACT_STATE,
]);

/** @returns the filter for these accounts; no stranger is admitted yet. */
export const createFidFilter = (fids: Iterable<number>): FidFilter => {
  const chosen: ReadonlySet<number> = new Set(fids);
  const strangers = new Set<number>();
  return {
    fids: chosen,
    accepts: (message) =>
      chosen.has(message.fid) ||
      addressees(message.data).some((fid) => chosen.has(fid)) ||
      (UPKEEP.has(message.type) && strangers.has(message.fid)),
    knows: (fid) => chosen.has(fid) || strangers.has(fid),
    admit: (fid) => strangers.add(fid),
  };
};

/**
 * Whom a message is addressed to: authors of the casts that it replies to, quotes, likes or recasts, accounts that it
 * mentions, follows or lends storage to. Whether such a cast exists does not matter: its author's fid decides.
 */
function addressees(data: MessageData): number[] {
  const { castAddBody: cast, reactionBody, linkBody, linkCompactStateBody, lendStorageBody } = data;
  const quoted = cast?.embeds.map((embed) => embed.castId?.fid) ?? [];
  const found = [
    cast?.parentCastId?.fid,
    ...(cast?.mentions ?? []),
    ...quoted,
    reactionBody?.targetCastId?.fid,
    linkBody?.targetFid,
    ...(linkCompactStateBody?.targetFids ?? []),
    lendStorageBody?.toFid,
  ];
  return found.filter((fid) => fid !== undefined);
}
