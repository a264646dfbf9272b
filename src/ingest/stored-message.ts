import { LinkBody, type MessageData, MessageType } from '@farcaster/core';
import { type Contender, conflictKey } from '../protocol/conflict.js';
import { decodeMessage } from '../protocol/wire/decode.js';
import { linkSubtypeOf } from '../protocol/link-subtype.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';
import { urlDigest } from '../protocol/url-digest.js';
import { envelopeOf, type MessageRow } from '../store/message.js';

/** A message that holds its conflict key, or wants to: the row, and its decoded form once somebody asked. */
export interface Held extends MessageRow {
  decoded?: ProtocolMessage;
}

interface Target {
  readonly subtype: number;
  readonly target_fid: number | null;
  readonly target_hash: Uint8Array | null;
}

const NO_TARGET: Target = { subtype: 0, target_fid: null, target_hash: null };

const targetOf = (type: number, data: MessageData): Target => {
  if (data.reactionBody) {
    const { type: subtype, targetCastId: cast, targetUrl } = data.reactionBody;
    return cast
      ? { subtype, target_fid: cast.fid, target_hash: cast.hash }
      : { subtype, target_fid: 0, target_hash: urlDigest(targetUrl ?? '') };
  }
  if (data.linkBody) {
    const { type: linkType, targetFid } = data.linkBody;
    return { subtype: linkSubtypeOf(linkType), target_fid: targetFid ?? null, target_hash: null };
  }
  if (type === MessageType.CAST_REMOVE && data.castRemoveBody)
    return { ...NO_TARGET, target_hash: data.castRemoveBody.targetHash };
  if (data.userDataBody) return { ...NO_TARGET, subtype: data.userDataBody.type };
  if (data.verificationAddAddressBody) return { ...NO_TARGET, subtype: data.verificationAddAddressBody.protocol };
  if (data.verificationRemoveBody) return { ...NO_TARGET, subtype: data.verificationRemoveBody.protocol };
  if (data.lendStorageBody) return { ...NO_TARGET, target_fid: data.lendStorageBody.toFid };
  return NO_TARGET;
};

/** @returns the row that this message would be, were it to hold its key. */
export const holdMessage = (message: ProtocolMessage): Held => {
  const { set, key } = conflictKey(message);
  const { envelope } = message;
  return {
    fid: message.fid,
    message_set: set,
    key,
    type: message.type,
    ...targetOf(message.type, message.data),
    ts: message.timestamp,
    hash: envelope.hash,
    signer: envelope.signer,
    signature: envelope.signature,
    signature_scheme: envelope.signatureScheme,
    data: envelope.dataBytes,
    data_form: envelope.dataForm === 'data_bytes' ? 1 : 0,
    void: false,
    decoded: message,
  };
};

/** @returns the message of a row, decoded at most once. */
export const decodedOf = (held: Held): ProtocolMessage => {
  held.decoded ??= decodeMessage(envelopeOf(held));
  return held.decoded;
};

/** @returns what the rules ask of a stored message, and the row itself. */
export const contenderOf = <Row extends MessageRow>(row: Row): Contender & { readonly row: Row } => ({
  type: row.type,
  timestamp: row.ts,
  envelope: row,
  row,
});

/** @returns the type word of a link or of a compact state of links. */
export const linkTypeOf = (held: Held): string => {
  const { linkBody, linkCompactStateBody } = decodedOf(held).data;
  return linkBody?.type ?? linkCompactStateBody?.type ?? LinkBody.create().type;
};

/** @returns a string that is the same for two rows exactly when they compete for one place. */
export const placeOf = (row: Pick<MessageRow, 'fid' | 'message_set' | 'key'>): string =>
  `${row.fid}:${row.message_set}:${Buffer.from(row.key.buffer, row.key.byteOffset, row.key.byteLength).toString('latin1')}`;
