import { type HashScheme, Message, MessageData, type SignatureScheme } from '@farcaster/core';
import { equalBytes } from '../../bytes.js';
import type { ProtocolMessage } from '../wire/message.js';
import { type JsonObject, toBase64 } from './scalar.js';

/**
 * Converts a message to the JSON of the protocol's package, which `Message.fromJSON` reads. All bytes are base64,
 * enumerations have the protocol's names.
 *
 * `dataBytes` is included if the message has `data_bytes`, and if the package encodes `data` to other bytes, so that
 * the hash matches. `data` is omitted if the package has no name for a value in it.
 */
export const messageToPackageJson = ({ envelope, data }: ProtocolMessage): JsonObject => {
  const message: Message = {
    data: undefined,
    hash: envelope.hash,
    hashScheme: envelope.hashScheme as HashScheme,
    signature: envelope.signature,
    signatureScheme: envelope.signatureScheme as SignatureScheme,
    signer: envelope.signer,
    dataBytes: undefined,
  };
  const body = dataToJson(data);
  const isExact =
    envelope.dataForm === 'data' &&
    body !== undefined &&
    equalBytes(MessageData.encode(MessageData.fromJSON(body)).finish(), envelope.dataBytes);
  return {
    ...(body === undefined ? {} : { data: body }),
    ...(Message.toJSON(message) as JsonObject),
    ...(isExact ? {} : { dataBytes: toBase64(envelope.dataBytes) }),
  };
};

/** @returns undefined if the package has no name for an enumeration value in the data */
const dataToJson = (data: MessageData): JsonObject | undefined => {
  try {
    return MessageData.toJSON(data) as JsonObject;
  } catch {
    return undefined;
  }
};

/**
 * @param json the member `data` of a message in the package's form
 * @returns the data; undefined for another form
 */
export const dataFromPackageJson = (json: unknown): MessageData | undefined => {
  try {
    return MessageData.fromJSON(json);
  } catch {
    return undefined;
  }
};
