import { type Message, MessageData } from '@farcaster/core';
import { AppError } from '../../error.js';
import { ENVELOPE_FIELD, readEnvelope } from './envelope-wire.js';
import type { Envelope } from './message.js';
import { encodeByteString, encodeNumber, WireError } from './wire.js';

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
  const { dataBytes, hash, hashScheme, signature, signatureScheme, signer } = envelope;
  if (isData) parts.push(encodeByteString(ENVELOPE_FIELD.data, dataBytes));
  if (hash.length > 0) parts.push(encodeByteString(ENVELOPE_FIELD.hash, hash));
  if (hashScheme !== 0) parts.push(encodeNumber(ENVELOPE_FIELD.hashScheme, hashScheme));
  if (signature.length > 0) parts.push(encodeByteString(ENVELOPE_FIELD.signature, signature));
  if (signatureScheme !== 0) parts.push(encodeNumber(ENVELOPE_FIELD.signatureScheme, signatureScheme));
  if (signer.length > 0) parts.push(encodeByteString(ENVELOPE_FIELD.signer, signer));
  if (!isData) parts.push(encodeByteString(ENVELOPE_FIELD.dataBytes, dataBytes));
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
