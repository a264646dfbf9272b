import { LinkBody, type MessageData, MessageType } from '@farcaster/core';
import { type ConflictCandidate, conflictKey, custodyNonceOf, MessageSet } from '../protocol/conflict.js';
import { linkSubtypeOf } from '../protocol/link-subtype.js';
import { urlDigest } from '../protocol/url-digest.js';
import { decodeMessage } from '../protocol/wire/decode.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';
import { envelopeOf, type MessageRow } from '../store/protocol/message.js';

/**
 * A message that is, or may become, the stored one of its conflict key: the row, and its decoded form after first use.
 */
export interface StoredMessage extends MessageRow {
  decoded?: ProtocolMessage;
}

interface Target {
  readonly subtype: number;
  readonly targetFid: number | null;
  readonly targetHash: Uint8Array | null;
}

const NO_TARGET: Target = { subtype: 0, targetFid: null, targetHash: null };

const targetOf = (type: number, data: MessageData): Target => {
  if (data.reactionBody) {
    const { type: subtype, targetCastId: cast, targetUrl } = data.reactionBody;
    return cast
      ? { subtype, targetFid: cast.fid, targetHash: cast.hash }
      : { subtype, targetFid: 0, targetHash: urlDigest(targetUrl ?? '') };
  }
  if (data.linkBody) {
    const { type: linkType, targetFid } = data.linkBody;
    return { subtype: linkSubtypeOf(linkType), targetFid: targetFid ?? null, targetHash: null };
  }
  if (type === MessageType.CAST_REMOVE && data.castRemoveBody)
    return { ...NO_TARGET, targetHash: data.castRemoveBody.targetHash };
  if (data.userDataBody) return { ...NO_TARGET, subtype: data.userDataBody.type };
  if (data.verificationAddAddressBody) return { ...NO_TARGET, subtype: data.verificationAddAddressBody.protocol };
  if (data.verificationRemoveBody) return { ...NO_TARGET, subtype: data.verificationRemoveBody.protocol };
  if (data.lendStorageBody) return { ...NO_TARGET, targetFid: data.lendStorageBody.toFid };
  return NO_TARGET;
};

/** @returns the row of this message */
export const toStoredMessage = (message: ProtocolMessage): StoredMessage => {
  const { set, key } = conflictKey(message);
  const { envelope } = message;
  return {
    fid: message.fid,
    messageSet: set,
    key,
    type: message.type,
    ...targetOf(message.type, message.data),
    ts: message.timestamp,
    hash: envelope.hash,
    signer: envelope.signer,
    signature: envelope.signature,
    signatureScheme: envelope.signatureScheme,
    data: envelope.dataBytes,
    dataForm: envelope.dataForm === 'data_bytes' ? 1 : 0,
    // Hubs delete a loan of 0 units at once. Here it stays, so that an older loan that arrives late does not return.
    void: message.data.lendStorageBody?.numUnits === 0,
    decoded: message,
  };
};

/** @returns the decoded message of a row; decodes it at most once */
export const decodedOf = (message: StoredMessage): ProtocolMessage => {
  message.decoded ??= decodeMessage(envelopeOf(message));
  return message.decoded;
};

/** @returns what the conflict rules need of a stored message, and the row itself */
export const conflictCandidateOf = <Row extends MessageRow>(row: Row): ConflictCandidate & { readonly row: Row } => ({
  type: row.type,
  timestamp: row.ts,
  envelope: row,
  custodyNonce: row.messageSet === MessageSet.key ? custodyNonceOf(decodedOf(row)) : undefined,
  row,
});

/** @returns the type of a link or of a compact state of links */
export const linkTypeOf = (message: StoredMessage): string => {
  const { linkBody, linkCompactStateBody } = decodedOf(message).data;
  return linkBody?.type ?? linkCompactStateBody?.type ?? LinkBody.create().type;
};

/**
 * @returns a string that is equal for two rows if and only if they conflict; proofs of a name do so across accounts
 * @source `get_merge_conflicts` of snapchain's `username_proof_store.rs`
 */
export const conflictKeyOf = (row: Pick<MessageRow, 'fid' | 'messageSet' | 'key'>): string =>
  `${row.messageSet === MessageSet.usernameProof ? '' : row.fid}:${row.messageSet}:${Buffer.from(row.key.buffer, row.key.byteOffset, row.key.byteLength).toString('latin1')}`;
