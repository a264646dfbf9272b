import { HubEvent, HubEventType, type Message, type UserNameProof } from '@farcaster/core';
import type { HubEventRow } from '../../store/change.js';
import { encodeOnchainEvent } from '../event-item.js';
import type { OnchainItem } from '../item.js';
import type { StoredMessage } from '../stored-message.js';

/** Contains the exact bytes, because decoding would drop fields that the protocol's package does not know. */
const messageOf = (message: StoredMessage): Message => ({
  data: undefined,
  hash: message.hash,
  hashScheme: 1,
  signature: message.signature,
  signatureScheme: message.signature_scheme,
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

export const mergeEvent = (message: StoredMessage, replaced: readonly StoredMessage[]): HubEventRow =>
  row(message.fid, HubEventType.MERGE_MESSAGE, {
    mergeMessageBody: { message: messageOf(message), deletedMessages: replaced.map(messageOf) },
  });

export const pruneEvent = (message: StoredMessage): HubEventRow =>
  row(message.fid, HubEventType.PRUNE_MESSAGE, { pruneMessageBody: { message: messageOf(message) } });

export const revokeEvent = (message: StoredMessage): HubEventRow =>
  row(message.fid, HubEventType.REVOKE_MESSAGE, { revokeMessageBody: { message: messageOf(message) } });

export const onchainHubEvent = (item: OnchainItem): HubEventRow => ({
  fid: item.event.fid,
  type: HubEventType.MERGE_ON_CHAIN_EVENT,
  body: encodeOnchainEvent(item),
});

export const proofHubEvent = (proof: UserNameProof): HubEventRow =>
  row(proof.fid, HubEventType.MERGE_USERNAME_PROOF, {
    mergeUsernameProofBody: {
      usernameProof: proof,
      deletedUsernameProof: undefined,
      usernameProofMessage: undefined,
      deletedUsernameProofMessage: undefined,
    },
  });
