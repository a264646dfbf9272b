import { HubEventType, UserNameProof } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import { encodeEnvelope } from '../../protocol/wire/envelope.js';
import { encodeByteString, encodeNumber } from '../../protocol/wire/wire.js';
import type { HubEventRow } from '../../store/change.js';
import { envelopeOf } from '../../store/protocol/message.js';
import { encodeOnchainEvent } from '../event-item.js';
import type { OnchainItem } from '../item.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

/** Fields of the protobuf `HubEvent`, whose bodies are numbered like this (protocol document, hub_event.proto). */
const FIELD = { type: 1, merge: 3, prune: 4, revoke: 5, proof: 8 } as const;
/** Fields of `MergeMessageBody`, `PruneMessageBody` and `RevokeMessageBody`. */
const OF_MESSAGE = { message: 1, deleted: 2 } as const;
/** Fields of `MergeUserNameProofBody`. */
const OF_PROOF = { proof: 1, deleted: 2, message: 3, deletedMessage: 4 } as const;

/** The exact bytes, because decoding would drop fields that the protocol's package does not know. */
const messageField = (field: number, message: StoredMessage): Uint8Array =>
  encodeByteString(field, encodeEnvelope(envelopeOf(message)));

/** Without an id: that of the row is used. */
const row = (fid: number, type: HubEventType, field: number, body: readonly Uint8Array[]): HubEventRow => ({
  fid,
  type,
  body: Buffer.concat([encodeNumber(FIELD.type, type), encodeByteString(field, ...body)]),
});

/** The proof of a name, and the message that it came in. */
interface ProvenName {
  readonly proof: UserNameProof;
  readonly message?: StoredMessage;
}

const proofFields = (named: ProvenName | undefined, proof: number, message: number): Uint8Array[] => [
  ...(named ? [encodeByteString(proof, UserNameProof.encode(named.proof).finish())] : []),
  ...(named?.message ? [messageField(message, named.message)] : []),
];

const proofEvent = (fid: number, merged: ProvenName | undefined, deleted: ProvenName | undefined): HubEventRow =>
  row(fid, HubEventType.MERGE_USERNAME_PROOF, FIELD.proof, [
    ...proofFields(merged, OF_PROOF.proof, OF_PROOF.message),
    ...proofFields(deleted, OF_PROOF.deleted, OF_PROOF.deletedMessage),
  ]);

/** Hubs report messages with username proofs like proofs of the registry (snapchain, `username_proof_store.rs`). */
const proven = (message: StoredMessage | undefined): ProvenName | undefined => {
  if (message?.messageSet !== MessageSet.usernameProof) return undefined;
  const proof = decodedOf(message).data.usernameProofBody;
  return proof && { proof, message };
};

export const mergeEvent = (message: StoredMessage, replaced: readonly StoredMessage[]): HubEventRow => {
  const merged = proven(message);
  if (merged) return proofEvent(message.fid, merged, proven(replaced[0]));
  return row(message.fid, HubEventType.MERGE_MESSAGE, FIELD.merge, [
    messageField(OF_MESSAGE.message, message),
    ...replaced.map((one) => messageField(OF_MESSAGE.deleted, one)),
  ]);
};

/** Hubs report that a proof was removed, not why. */
const removedProofEvent = (message: StoredMessage): HubEventRow | undefined => {
  const deleted = proven(message);
  return deleted && proofEvent(message.fid, undefined, deleted);
};

export const pruneEvent = (message: StoredMessage): HubEventRow =>
  removedProofEvent(message) ??
  row(message.fid, HubEventType.PRUNE_MESSAGE, FIELD.prune, [messageField(OF_MESSAGE.message, message)]);

export const revokeEvent = (message: StoredMessage): HubEventRow =>
  removedProofEvent(message) ??
  row(message.fid, HubEventType.REVOKE_MESSAGE, FIELD.revoke, [messageField(OF_MESSAGE.message, message)]);

export const onchainHubEvent = (item: OnchainItem): HubEventRow => ({
  fid: item.event.fid,
  type: HubEventType.MERGE_ON_CHAIN_EVENT,
  body: encodeOnchainEvent(item),
});

export const proofHubEvent = (proof: UserNameProof): HubEventRow => proofEvent(proof.fid, { proof }, undefined);
