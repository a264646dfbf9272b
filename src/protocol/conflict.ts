import { type MessageData, MessageType, type UserNameProof } from '@farcaster/core';
import type { ProtocolMessage } from './wire/message.js';
import { encodeVarint } from './wire/wire.js';

/** The sets of a fid's messages; only messages of one set can conflict. The numbers are stored in the database. */
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

/** Messages of one fid with equal keys conflict. */
export interface ConflictKey {
  /** A number of {@link MessageSet}. */
  readonly set: number;
  /** Identifies the subject of the message (the cast, the reaction's target, ...); comparable within a set only. */
  readonly key: Uint8Array;
}

/** The members of a message that {@link supersedes} needs; a `ProtocolMessage` and a stored row have them. */
export interface ConflictCandidate {
  /** `MessageType` number. */
  readonly type: number;
  /** Seconds since 2021-01-01T00:00:00Z. */
  readonly timestamp: number;
  readonly envelope: { readonly hash: Uint8Array };
  /** {@link custodyNonceOf} the message. */
  readonly custodyNonce?: number | undefined;
}

/** `KeyRemoveBody.signatureType` of a removal by the custody address; otherwise the key removes itself. */
export const BY_CUSTODY = 1;

/** @returns the nonce of a message about a key that the custody address signed; undefined for all others */
export const custodyNonceOf = ({ type, data }: ProtocolMessage): number | undefined => {
  const { keyAddBody: add, keyRemoveBody: remove } = data;
  if (type === MessageType.KEY_ADD) return add?.nonce;
  return type === MessageType.KEY_REMOVE && remove?.signatureType === BY_CUSTODY ? remove.nonce : undefined;
};

/**
 * @returns the key under which at most one message of a fid is active
 *
 * - cast: the hash of the added or removed cast
 * - reaction: the reaction type and the target; link: the target fid and the link type
 * - links' compact state: the link type; user data: its type
 * - verification: the address alone, as on hubs (addresses of the two chains differ in length)
 * - username proof: the name; proofs of one name conflict across fids, so search all fids
 * - storage lending: the fid that gets the units; key: the key
 * - any other type, and a message without body: the message's own hash, so that it conflicts with nothing. Messages about
 *   channels are among them: their order of arrival decides (`ingest/channel`), not their timestamps.
 * @source the add and remove keys of snapchain's `src/storage/store/account/*_store.rs`
 */
export const conflictKey = (message: ProtocolMessage): ConflictKey => {
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
        key: joined(encodeVarint(data.linkBody.targetFid ?? 0), utf8(data.linkBody.type)),
      };
    case MessageType.LINK_COMPACT_STATE:
      if (!data.linkCompactStateBody) break;
      return { set: MessageSet.linkCompactState, key: utf8(data.linkCompactStateBody.type) };
    case MessageType.USER_DATA_ADD:
      if (!data.userDataBody) break;
      return { set: MessageSet.userData, key: encodeVarint(data.userDataBody.type) };
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
      return { set: MessageSet.storageLending, key: encodeVarint(data.lendStorageBody.toFid) };
    case MessageType.KEY_ADD:
      if (!data.keyAddBody) break;
      return { set: MessageSet.key, key: data.keyAddBody.key };
    case MessageType.KEY_REMOVE:
      if (!data.keyRemoveBody) break;
      return { set: MessageSet.key, key: data.keyRemoveBody.key };
  }
  return { set: MessageSet.unknown, key: message.envelope.hash };
};

/**
 * @returns whether `candidate` replaces `holder`; both have the same conflict key
 *
 * For casts a removal wins over an add with any timestamp, and of messages about a key that the custody address signed
 * the higher nonce. Otherwise, and for all other sets, the later timestamp wins, then a removal over an add, then the
 * bytewise higher hash. A message never replaces itself. This is a strict total order, so the winner does not depend on
 * the order or repetition of messages. Only a key that removes itself has no nonce that can be compared: if the
 * timestamps of two registrations contradict their nonces and its own is between them, the order decides.
 * @source `message_compare` in snapchain's `store.rs` and `cast_store.rs`; `check_and_set_user_nonce` in its
 *   `key_nonce_store.rs`: hubs take no nonce that is not above the last one, so nonces have the order of arrival
 */
export const supersedes = (candidate: ConflictCandidate, holder: ConflictCandidate): boolean => {
  const [nonce, held] = [candidate.custodyNonce, holder.custodyNonce];
  if (nonce !== undefined && held !== undefined && nonce !== held) return nonce > held;
  const removal = Number(isRemoval(candidate.type)) - Number(isRemoval(holder.type));
  if (removal !== 0 && isCast(candidate.type)) return removal > 0;
  if (candidate.timestamp !== holder.timestamp) return candidate.timestamp > holder.timestamp;
  if (removal !== 0) return removal > 0;
  return Buffer.compare(candidate.envelope.hash, holder.envelope.hash) > 0;
};

/**
 * Compares proofs of the public name registry, which are not messages. A proof for fid 0 releases the name. It must be
 * kept as the holder, or an older proof that arrives late would claim the name again.
 * @source `username_proof_compare` in snapchain's `user_data_store.rs`: later timestamp, then higher signature
 */
export const proofSupersedes = (
  candidate: Pick<UserNameProof, 'timestamp' | 'signature'>,
  holder: Pick<UserNameProof, 'timestamp' | 'signature'>,
): boolean => {
  if (candidate.timestamp !== holder.timestamp) return candidate.timestamp > holder.timestamp;
  return Buffer.compare(candidate.signature, holder.signature) > 0;
};

/**
 * @returns whether a link is active despite the compact state of its fid: true for links of another fid or type, for
 *   links not older than the state, and for older adds whose target is in the state. All other links are inactive,
 *   including older removes of a listed target, as hubs delete them.
 *
 * The active links of a fid are, for each conflict key, the winner by {@link supersedes} among ALL its links, filtered
 * by the winning compact state. So an inactive link must stay stored and be evaluated again when another compact state
 * wins. If it were deleted, the result would depend on the order of arrival: an add of t, then a state without t, then
 * a newer state with t would end without the link, the reverse order with it.
 *
 * Hubs do delete links, so they depend on the order in these cases: (a) the one above; (b) a listed add, its later
 * remove, a later state: in this order hubs have no link, but they have the add if the remove arrives last, while here
 * the remove always wins; (c) a link with the timestamp of the state: hubs delete it if the state arrives after it and
 * keep it if it arrives after the state. Here it is kept, so that every state that a hub can have is preserved; a
 * deletion that a hub announces arrives as the removal of an exact message anyway.
 * @param state a LINK_COMPACT_STATE message
 * @param link a LINK_ADD or LINK_REMOVE message, or the columns of one
 * @source `merge_compact_state`, `merge_add`, `merge_remove` in snapchain's `store.rs`, `is_compaction_conflict` and
 *   `compact_state_add_conflict` in its `link_store.rs` (by type, as since its engine version 19)
 */
export const isInCompactState = (
  state: ProtocolMessage,
  link: Pick<ProtocolMessage, 'type' | 'fid' | 'timestamp'> & { readonly data: Pick<MessageData, 'linkBody'> },
): boolean => {
  const listed = state.data.linkCompactStateBody;
  const body = link.data.linkBody;
  if (!listed || !body || listed.type !== body.type || state.fid !== link.fid) return true;
  if (link.timestamp >= state.timestamp) return true;
  return link.type === MessageType.LINK_ADD && body.targetFid !== undefined && targets(listed).has(body.targetFid);
};

type LinkCompactStateBody = NonNullable<MessageData['linkCompactStateBody']>;

/** Cached, because a state has thousands of targets and is checked for each link of its fid. */
const targetSets = new WeakMap<LinkCompactStateBody, ReadonlySet<number>>();

const targets = (body: LinkCompactStateBody): ReadonlySet<number> => {
  let set = targetSets.get(body);
  if (!set) {
    set = new Set(body.targetFids);
    targetSets.set(body, set);
  }
  return set;
};

const isRemoval = (type: number): boolean =>
  type === MessageType.CAST_REMOVE ||
  type === MessageType.REACTION_REMOVE ||
  type === MessageType.LINK_REMOVE ||
  type === MessageType.VERIFICATION_REMOVE ||
  type === MessageType.KEY_REMOVE;

const isCast = (type: number): boolean => type === MessageType.CAST_ADD || type === MessageType.CAST_REMOVE;

/** The parity of the first number distinguishes the two kinds of target. */
const reactionKey = (body: NonNullable<MessageData['reactionBody']>): Uint8Array => {
  const { targetCastId: cast } = body;
  return cast
    ? joined(encodeVarint(body.type * 2), encodeVarint(cast.fid), cast.hash)
    : joined(encodeVarint(body.type * 2 + 1), utf8(body.targetUrl ?? ''));
};

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
