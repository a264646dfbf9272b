import { type MessageData, MessageType } from '@farcaster/core';
import type { ProtocolMessage } from '../protocol/wire/message.js';

/** Decides which messages are indexed in partial mode. */
export interface FidFilter {
  readonly fids: ReadonlySet<number>;
  /** Accepts messages of the chosen accounts, messages addressed to them, and profiles of referenced accounts. */
  readonly accepts: (message: ProtocolMessage) => boolean;
  /** True for chosen and for referenced accounts. */
  knows(fid: number): boolean;
  /** Marks an account that addressed a chosen one as referenced, so that its profile is accepted. */
  admit(fid: number): void;
}

/**
 * Message types accepted from referenced accounts: profile and key messages, and removals that do not name their
 * target.
 */
const ALLOWED_FOR_REFERENCED: ReadonlySet<number> = new Set([
  MessageType.USER_DATA_ADD,
  MessageType.USERNAME_PROOF,
  MessageType.VERIFICATION_ADD_ETH_ADDRESS,
  MessageType.VERIFICATION_REMOVE,
  MessageType.KEY_ADD,
  MessageType.KEY_REMOVE,
  MessageType.CAST_REMOVE,
  MessageType.LINK_COMPACT_STATE,
]);

/** @returns the filter for these accounts, without referenced ones */
export const createFidFilter = (fids: Iterable<number>): FidFilter => {
  const chosen: ReadonlySet<number> = new Set(fids);
  const referencedAccounts = new Set<number>();
  return {
    fids: chosen,
    accepts: (message) =>
      chosen.has(message.fid) ||
      addressees(message.data).some((fid) => chosen.has(fid)) ||
      (ALLOWED_FOR_REFERENCED.has(message.type) && referencedAccounts.has(message.fid)),
    knows: (fid) => chosen.has(fid) || referencedAccounts.has(fid),
    admit: (fid) => referencedAccounts.add(fid),
  };
};

/**
 * The accounts that a message addresses: authors of casts that it replies to, quotes, likes or recasts, and accounts
 * that it mentions, follows or lends storage to. The casts need not exist, because the message contains the fids of
 * their authors.
 */
const addressees = (data: MessageData): number[] => {
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
};
