import { HubEvent, HubEventType, type Message, type UserNameProof } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import type { HubEventRow } from '../../store/change.js';
import { encodeOnchainEvent } from '../event-item.js';
import type { OnchainItem } from '../item.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

/** Contains the exact bytes, because decoding would drop fields that the protocol's package does not know. */
const messageOf = (message: StoredMessage): Message => ({
  data: undefined,
  hash: message.hash,
  hashScheme: 1,
  signature: message.signature,
  signatureScheme: message.signatureScheme,
  signer: message.signer,
  dataBytes: message.data,
});

/** Without an id: that of the row is used. */
const row = (
  fid: number,
  type: HubEventType,
  body: Omit<HubEvent, 'type' | 'id' | 'blockNumber' | 'shardIndex' | 'timestamp'>,
): HubEventRow => ({
  fid,
  type,
  body: HubEvent.encode({ type, id: 0, blockNumber: 0, shardIndex: 0, timestamp: 0, ...body }).finish(),
});

/** The proof of a name, and the message that it came in. */
interface ProvenName {
  readonly proof: UserNameProof;
  readonly message?: StoredMessage;
}

const proofEvent = (fid: number, merged: ProvenName | undefined, deleted: ProvenName | undefined): HubEventRow =>
  row(fid, HubEventType.MERGE_USERNAME_PROOF, {
    mergeUsernameProofBody: {
      usernameProof: merged?.proof,
      deletedUsernameProof: deleted?.proof,
      usernameProofMessage: merged?.message && messageOf(merged.message),
      deletedUsernameProofMessage: deleted?.message && messageOf(deleted.message),
    },
  });

/** Hubs report messages with username proofs like proofs of the registry (snapchain, `username_proof_store.rs`). */
const proven = (message: StoredMessage | undefined): ProvenName | undefined => {
  if (message?.messageSet !== MessageSet.usernameProof) return undefined;
  const proof = decodedOf(message).data.usernameProofBody;
  return proof && { proof, message };
};

export const mergeEvent = (message: StoredMessage, replaced: readonly StoredMessage[]): HubEventRow => {
  const merged = proven(message);
  if (merged) return proofEvent(message.fid, merged, proven(replaced[0]));
  return row(message.fid, HubEventType.MERGE_MESSAGE, {
    mergeMessageBody: { message: messageOf(message), deletedMessages: replaced.map(messageOf) },
  });
};

/** Hubs report that a proof was removed, not why. */
const removedProofEvent = (message: StoredMessage): HubEventRow | undefined => {
  const deleted = proven(message);
  return deleted && proofEvent(message.fid, undefined, deleted);
};

export const pruneEvent = (message: StoredMessage): HubEventRow =>
  removedProofEvent(message) ??
  row(message.fid, HubEventType.PRUNE_MESSAGE, { pruneMessageBody: { message: messageOf(message) } });

export const revokeEvent = (message: StoredMessage): HubEventRow =>
  removedProofEvent(message) ??
  row(message.fid, HubEventType.REVOKE_MESSAGE, { revokeMessageBody: { message: messageOf(message) } });

export const onchainHubEvent = (item: OnchainItem): HubEventRow => ({
  fid: item.event.fid,
  type: HubEventType.MERGE_ON_CHAIN_EVENT,
  body: encodeOnchainEvent(item),
});

export const proofHubEvent = (proof: UserNameProof): HubEventRow => proofEvent(proof.fid, { proof }, undefined);
