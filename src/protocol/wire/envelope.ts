import { type Message, MessageData } from '@farcaster/core';
import { AppError } from '../../error.js';
import { ENVELOPE_FIELD, readEnvelope } from './envelope-wire.js';
import type { Envelope } from './message.js';
import { encodeVarint, WireError } from './wire.js';

/**
 * Reads the wire bytes of a protobuf `Message` without verifying it. Members of the result are views into `wire`, which
 * must not be changed.
 * @throws AppError kind `invalid`, hubCode `bad_request.parse_failure`
 */
export const decodeEnvelope = (wire: Uint8Array): Envelope => {
  try {
    return readEnvelope(wire);
  } catch (cause) {
    if (cause instanceof WireError) throw parseFailure(cause.message, cause);
    throw cause;
  }
};

/**
 * @returns the wire bytes of the protobuf `Message`: fields in ascending order without defaults, the exact data in the
 *   member that `dataForm` names
 */
export const encodeEnvelope = (envelope: Envelope): Uint8Array => {
  const isData = envelope.dataForm === 'data';
  const parts: Uint8Array[] = [];
  if (isData) pushBytes(parts, ENVELOPE_FIELD.data, envelope.dataBytes);
  if (envelope.hash.length > 0) pushBytes(parts, ENVELOPE_FIELD.hash, envelope.hash);
  if (envelope.hashScheme !== 0)
    parts.push(encodeVarint(ENVELOPE_FIELD.hashScheme << 3), encodeVarint(envelope.hashScheme));
  if (envelope.signature.length > 0) pushBytes(parts, ENVELOPE_FIELD.signature, envelope.signature);
  if (envelope.signatureScheme !== 0)
    parts.push(encodeVarint(ENVELOPE_FIELD.signatureScheme << 3), encodeVarint(envelope.signatureScheme));
  if (envelope.signer.length > 0) pushBytes(parts, ENVELOPE_FIELD.signer, envelope.signer);
  if (!isData) pushBytes(parts, ENVELOPE_FIELD.dataBytes, envelope.dataBytes);
  return new Uint8Array(Buffer.concat(parts));
};

/**
 * Converts a `Message` of the protocol's package. A message without `dataBytes` is encoded again, which loses bodies
 * that the package does not know and makes the hash invalid. If wire bytes are available, use `decodeEnvelope`.
 * @throws AppError kind `invalid`, hubCode `bad_request.parse_failure`, if the message contains no data
 */
export const envelopeFromMessage = (message: Message): Envelope => {
  const { hash, hashScheme, signature, signatureScheme, signer } = message;
  const rest = { hash, hashScheme, signature, signatureScheme, signer };
  if (message.dataBytes !== undefined && message.dataBytes.length > 0) {
    return { dataBytes: message.dataBytes, dataForm: 'data_bytes', ...rest };
  }
  if (message.data === undefined) throw parseFailure('the message carries no data');
  return { dataBytes: MessageData.encode(message.data).finish(), dataForm: 'data', ...rest };
};

/** @returns the error for bytes that are no protocol message; `detail` is a clause in lower case */
export const parseFailure = (detail: string, cause?: unknown): AppError =>
  new AppError('invalid', 'InvalidMessage', `The message cannot be read: ${detail}.`, {
    hubCode: 'bad_request.parse_failure',
    cause,
  });

const pushBytes = (parts: Uint8Array[], field: number, bytes: Uint8Array): void => {
  parts.push(encodeVarint((field << 3) | 2), encodeVarint(bytes.length), bytes);
};
