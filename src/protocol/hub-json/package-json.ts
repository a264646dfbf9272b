import { type HashScheme, Message, MessageData, type SignatureScheme } from '@farcaster/core';
import { type JsonObject, toBase64 } from './scalar.js';
import type { ProtocolMessage } from '../wire/message.js';

/**
 * A message in the JSON form of the protocol's package: `Message.fromJSON` reads it. All bytes are base64, enumerations
 * have the protocol's names.
 *
 * `dataBytes` is there when the message came with `data_bytes`, and when the package encodes `data` to other bytes, so
 * that the hash fits what the package reads. `data` is left out where the package has no name for what it holds.
 */
export function messageToPackageJson({ envelope, data }: ProtocolMessage): JsonObject {
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
    Buffer.compare(MessageData.encode(MessageData.fromJSON(body)).finish(), envelope.dataBytes) === 0;
  return {
    ...(body === undefined ? {} : { data: body }),
    ...(Message.toJSON(message) as JsonObject),
    ...(isExact ? {} : { dataBytes: toBase64(envelope.dataBytes) }),
  };
}

/** @returns undefined for data with a number that no enumeration of the package names */
function dataToJson(data: MessageData): JsonObject | undefined {
  try {
    return MessageData.toJSON(data) as JsonObject;
  } catch {
    return undefined;
  }
}

/**
 * @param json the member `data` of a message in the package's form
 * @returns the data; undefined when they are in another form
 */
export function dataFromPackageJson(json: unknown): MessageData | undefined {
  try {
    return MessageData.fromJSON(json);
  } catch {
    return undefined;
  }
}
