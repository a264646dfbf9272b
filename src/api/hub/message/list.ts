import { MessageType } from '@farcaster/core';
import type { ReadContext } from '../../../cache/read-context.js';
import { MessageSet } from '../../../protocol/conflict.js';
import { encodePageToken } from '../../../protocol/page-token.js';
import { selectAllMessages } from '../../../store/hub/all-message-page.js';
import {
  type MessageReference,
  selectCastsByMention,
  selectCastsByParent,
  selectLinksByTarget,
  selectMessagesByAuthor,
  selectMessagesBySet,
  selectReactionsByTarget,
} from '../../../store/hub/message-page.js';
import { type MessagePageQuery, messagePageOf, pageKeyOf, pageSizeOf, withinTimes } from '../page-query.js';

/** The lists of signed messages, over HTTP and over gRPC. Each returns one page, sorted by (timestamp, hash). */

export interface MessageReferencePage {
  readonly references: readonly MessageReference[];
  /** '' on the last page. */
  readonly nextPageToken: string;
}

/** @param found the rows selected for `messagePageOf(query)` */
export const cutMessagePage = (found: readonly MessageReference[], query: MessagePageQuery): MessageReferencePage => {
  const size = pageSizeOf(query);
  const allowed = withinTimes(found, query);
  const references = allowed.slice(0, size);
  const last = allowed.length > size ? references.at(-1) : undefined;
  return {
    references,
    nextPageToken: last === undefined ? '' : encodePageToken({ timestamp: last.ts, hash: last.hash }),
  };
};

/** Casts all have the same subtype. */
const CAST_SUBTYPES = [0];

export const castsByAuthor = (read: ReadContext, fid: number, query: MessagePageQuery): Promise<MessageReferencePage> =>
  read.list(['casts by author', fid, ...pageKeyOf(query)], async (inner) => {
    const page = messagePageOf(query);
    return cutMessagePage(await selectMessagesByAuthor(inner, fid, MessageType.CAST_ADD, CAST_SUBTYPES, page), query);
  });

/** Who or what is replied or reacted to: a cast, or a URL as fid 0 and its `urlDigest`. */
export interface Target {
  readonly fid: number;
  readonly hash: Uint8Array;
}

export const castsByParent = async (
  read: ReadContext,
  parent: Target,
  query: MessagePageQuery,
): Promise<MessageReferencePage> =>
  cutMessagePage(await selectCastsByParent(read, parent, messagePageOf(query)), query);

export const castsByMention = async (
  read: ReadContext,
  fid: number,
  query: MessagePageQuery,
): Promise<MessageReferencePage> => cutMessagePage(await selectCastsByMention(read, fid, messagePageOf(query)), query);

/** @param types numbers of `ReactionType` */
export const reactionsByAuthor = async (
  read: ReadContext,
  fid: number,
  types: readonly number[],
  query: MessagePageQuery,
): Promise<MessageReferencePage> => {
  const page = messagePageOf(query);
  return cutMessagePage(await selectMessagesByAuthor(read, fid, MessageType.REACTION_ADD, types, page), query);
};

/** @param types numbers of `ReactionType` */
export const reactionsByTarget = async (
  read: ReadContext,
  target: Target,
  types: readonly number[],
  query: MessagePageQuery,
): Promise<MessageReferencePage> =>
  cutMessagePage(await selectReactionsByTarget(read, target, types, messagePageOf(query)), query);

/** @param subtypes as `linkSubtypeOf` returns them */
export const linksByAuthor = async (
  read: ReadContext,
  fid: number,
  subtypes: readonly number[],
  query: MessagePageQuery,
): Promise<MessageReferencePage> => {
  const page = messagePageOf(query);
  return cutMessagePage(await selectMessagesByAuthor(read, fid, MessageType.LINK_ADD, subtypes, page), query);
};

/** @param subtypes as `linkSubtypeOf` returns them */
export const linksByTarget = async (
  read: ReadContext,
  targetFid: number,
  subtypes: readonly number[],
  query: MessagePageQuery,
): Promise<MessageReferencePage> =>
  cutMessagePage(await selectLinksByTarget(read, targetFid, subtypes, messagePageOf(query)), query);

const ofSet =
  (set: number, type: MessageType) =>
  async (read: ReadContext, fid: number, query: MessagePageQuery): Promise<MessageReferencePage> =>
    cutMessagePage(await selectMessagesBySet(read, fid, set, type, messagePageOf(query)), query);

export const userDataOf = ofSet(MessageSet.userData, MessageType.USER_DATA_ADD);
export const verificationsOf = ofSet(MessageSet.verification, MessageType.VERIFICATION_ADD_ETH_ADDRESS);
/** The states of an account's links, one for each type of link. */
export const linkStatesOf = ofSet(MessageSet.linkCompactState, MessageType.LINK_COMPACT_STATE);

/** @param set a number of `MessageSet` @returns what an account added and removed in that set */
export const allMessagesOf = async (
  read: ReadContext,
  { fid, set }: { readonly fid: number; readonly set: number },
  query: MessagePageQuery,
): Promise<MessageReferencePage> =>
  cutMessagePage(await selectAllMessages(read, fid, set, messagePageOf(query)), query);
