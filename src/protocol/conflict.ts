import { type MessageData, MessageType, type UserNameProof } from '@farcaster/core';
import type { ProtocolMessage } from './wire/message.js';

/** The sets that a fid's messages belong to; only messages of one set can conflict. The numbers are stored. */
export const MessageSet = {
  cast: 1,
  reaction: 2,
  link: 3,
  linkCompactState: 4,
  userData: 5,
  verification: 6,
  usernameProof: 7,
  storageLending: 8,
  key: 9,
  unknown: 15,
} as const;

/** What two messages of one fid must have in common to conflict. */
export interface ConflictKey {
  /** A number of {@link MessageSet}. */
  readonly set: number;
  /** Bytes that say what the message is about (the cast, the reaction's target, ...); comparable within a set only. */
  readonly key: Uint8Array;
}

/** What {@link beats} needs of a message; a `ProtocolMessage` has it, and so can a stored row. */
export interface Contender {
  /** `MessageType` number. */
  readonly type: number;
  /** Seconds since 2021-01-01T00:00:00Z. */
  readonly timestamp: number;
  readonly envelope: { readonly hash: Uint8Array };
}

/**
 * The key under which at most one message of a fid is in force.
 *
 * - cast: the hash of the cast that is added or removed
 * - reaction: the reaction type and the target; link: the target fid and the link type
 * - links' compact state: the link type; user data: its type
 * - verification: the address alone, as hubs do (their addresses of two chains differ in length, never in meaning)
 * - username proof: the name; hubs let proofs of one name compete across fids, so look for it under all fids
 * - storage lending: the fid that gets the units; key: the key
 * - anything else, and a message whose body is missing: the message's own hash, so that it conflicts with nothing
 *
 * @source the add and remove keys of snapchain's `src/storage/store/account/*_store.rs`
 */
export function conflictKey(message: ProtocolMessage): ConflictKey {
  const { data } = message;
  switch (message.type) {
    case MessageType.CAST_ADD:
      return { set: MessageSet.cast, key: message.envelope.hash };
    case MessageType.CAST_REMOVE:
      if (!data.castRemoveBody) break;
      return { set: MessageSet.cast, key: data.castRemoveBody.targetHash };
    case MessageType.REACTION_ADD:
    case MessageType.REACTION_REMOVE:
      if (!data.reactionBody) break;
      return { set: MessageSet.reaction, key: reactionKey(data.reactionBody) };
    case MessageType.LINK_ADD:
    case MessageType.LINK_REMOVE:
      if (!data.linkBody) break;
      return {
        set: MessageSet.link,
        key: joined(varint(data.linkBody.targetFid ?? 0), utf8(data.linkBody.type)),
      };
    case MessageType.LINK_COMPACT_STATE:
      if (!data.linkCompactStateBody) break;
      return { set: MessageSet.linkCompactState, key: utf8(data.linkCompactStateBody.type) };
    case MessageType.USER_DATA_ADD:
      if (!data.userDataBody) break;
      return { set: MessageSet.userData, key: varint(data.userDataBody.type) };
    case MessageType.VERIFICATION_ADD_ETH_ADDRESS:
      if (!data.verificationAddAddressBody) break;
      return { set: MessageSet.verification, key: data.verificationAddAddressBody.address };
    case MessageType.VERIFICATION_REMOVE:
      if (!data.verificationRemoveBody) break;
      return { set: MessageSet.verification, key: data.verificationRemoveBody.address };
    case MessageType.USERNAME_PROOF:
      if (!data.usernameProofBody) break;
      return { set: MessageSet.usernameProof, key: data.usernameProofBody.name };
    case MessageType.LEND_STORAGE:
      if (!data.lendStorageBody) break;
      return { set: MessageSet.storageLending, key: varint(data.lendStorageBody.toFid) };
    case MessageType.KEY_ADD:
      if (!data.keyAddBody) break;
      return { set: MessageSet.key, key: data.keyAddBody.key };
    case MessageType.KEY_REMOVE:
      if (!data.keyRemoveBody) break;
      return { set: MessageSet.key, key: data.keyRemoveBody.key };
  }
  return { set: MessageSet.unknown, key: message.envelope.hash };
}

/**
 * Whether `challenger` replaces `holder`, both being of one conflict key.
 *
 * Casts: a removal beats an add whatever their timestamps. Else, and for all other sets: the later timestamp,
 * then a removal before an add, then the bytewise higher hash. A message never beats itself.
 * This is a strict total order, so the winner of a set of messages does not depend on their order or repetition.
 *
 * @source `message_compare` in snapchain's `store.rs` and `cast_store.rs`. Keys are an exception there: hubs refuse a
 * nonce that is not higher than the last one, which depends on the order of arrival; here the timestamp decides.
 */
export function beats(challenger: Contender, holder: Contender): boolean {
  const removal = Number(isRemoval(challenger.type)) - Number(isRemoval(holder.type));
  if (removal !== 0 && isCast(challenger.type)) return removal > 0;
  if (challenger.timestamp !== holder.timestamp) return challenger.timestamp > holder.timestamp;
  if (removal !== 0) return removal > 0;
  return Buffer.compare(challenger.envelope.hash, holder.envelope.hash) > 0;
}

/**
 * The same question for the proofs of a name that the name registry gives out, which are not messages.
 * A proof for fid 0 releases the name; keep it as the holder, or an older proof that comes late takes the name back.
 *
 * @source `username_proof_compare` in snapchain's `user_data_store.rs`: later timestamp, then higher signature
 */
export function proofBeats(
  challenger: Pick<UserNameProof, 'timestamp' | 'signature'>,
  holder: Pick<UserNameProof, 'timestamp' | 'signature'>,
): boolean {
  if (challenger.timestamp !== holder.timestamp) return challenger.timestamp > holder.timestamp;
  return Buffer.compare(challenger.signature, holder.signature) > 0;
}

/**
 * Whether a link is still in force beside the compact state of its fid: true for links of another fid or type, for
 * links not older than the state, and for older adds whose target the state lists. All other links are void, older
 * removes even of a listed target, as hubs delete them.
 *
 * The state of a fid's links is: for each conflict key the winner by {@link beats} among ALL its links, and of those
 * winners the ones that the winning compact state keeps. So a void link must stay stored, out of sight, and be asked
 * again when another compact state wins. Deleting it would make the result depend on the order of arrival:
 * an add of t, then a state without t, then a newer state with t would end without the link,
 * the same messages from last to first with it.
 *
 * Hubs do delete, so they depend on the order in these cases: (a) the one above; (b) a listed add, its later remove, a
 * later state: hubs have no link after this order, and the add when the remove comes last, here the remove
 * always wins; (c) a link of the state's own second: hubs delete it when the state comes after it and keep it
 * when it comes after the state. Here it is kept, so that every state a hub can hold stays as it is;
 * a deletion that a hub announces arrives as the removal of an exact message anyway.
 *
 * @param state a LINK_COMPACT_STATE message
 * @param link a LINK_ADD or LINK_REMOVE message, or what a row knows of one
 * @source `merge_compact_state`, `merge_add`, `merge_remove` in snapchain's `store.rs`, `is_compaction_conflict` and
 * `compact_state_add_conflict` in its `link_store.rs` (by type, as since its engine version 19)
 */
export function compactStateKeeps(
  state: ProtocolMessage,
  link: Pick<ProtocolMessage, 'type' | 'fid' | 'timestamp'> & { readonly data: Pick<MessageData, 'linkBody'> },
): boolean {
  const listed = state.data.linkCompactStateBody;
  const body = link.data.linkBody;
  if (!listed || !body || listed.type !== body.type || state.fid !== link.fid) return true;
  if (link.timestamp >= state.timestamp) return true;
  return link.type === MessageType.LINK_ADD && body.targetFid !== undefined && targets(listed).has(body.targetFid);
}

type LinkCompactStateBody = NonNullable<MessageData['linkCompactStateBody']>;

/** A state lists thousands of targets and is asked once for each link of its fid. */
const targetSets = new WeakMap<LinkCompactStateBody, ReadonlySet<number>>();

function targets(body: LinkCompactStateBody): ReadonlySet<number> {
  let set = targetSets.get(body);
  if (!set) {
    set = new Set(body.targetFids);
    targetSets.set(body, set);
  }
  return set;
}

function isRemoval(type: number): boolean {
  return (
    type === MessageType.CAST_REMOVE ||
    type === MessageType.REACTION_REMOVE ||
    type === MessageType.LINK_REMOVE ||
    type === MessageType.VERIFICATION_REMOVE ||
    type === MessageType.KEY_REMOVE
  );
}

const isCast = (type: number): boolean => type === MessageType.CAST_ADD || type === MessageType.CAST_REMOVE;

/** The parity of the first number tells the two kinds of target apart. */
function reactionKey(body: NonNullable<MessageData['reactionBody']>): Uint8Array {
  const { targetCastId: cast } = body;
  return cast
    ? joined(varint(body.type * 2), varint(cast.fid), cast.hash)
    : joined(varint(body.type * 2 + 1), utf8(body.targetUrl ?? ''));
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** Base 128, little end first, so that a number ends where the next part begins; up to 2^53 - 1, as fids are. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
