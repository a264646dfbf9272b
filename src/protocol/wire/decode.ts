import { MessageData, MessageType } from '@farcaster/core';
import { withShortNumbers } from './canonical.js';
import { parseFailure } from './envelope.js';
import type { Envelope, ProtocolMessage } from './message.js';
import { readMessageHead } from './message-data.js';

/**
 * Names of message types that hubs know and @farcaster/core 0.20 does not (farcasterxyz/snapchain,
 * proto/definitions/message.proto).
 */
const NEWER_TYPE_NAMES: Readonly<Record<number, string>> = {
  18: 'MESSAGE_TYPE_CHANNEL_UPDATE',
  19: 'MESSAGE_TYPE_CHANNEL_MEMBER',
  20: 'MESSAGE_TYPE_CHANNEL_PIN',
  21: 'MESSAGE_TYPE_CHANNEL_MODERATE',
};

/**
 * Decodes the data of an envelope without verifying it. A message type that the package does not know keeps type, fid,
 * timestamp and network; its body is in `envelope.dataBytes` only.
 * @throws AppError kind `invalid`, hubCode `bad_request.parse_failure`
 */
export const decodeMessage = (envelope: Envelope): ProtocolMessage => {
  let data: MessageData;
  try {
    const { type, fid, timestamp, network } = readMessageHead(envelope.dataBytes);
    const isKnown = MessageType[type] !== undefined;
    data = isKnown ? decodeData(envelope) : MessageData.create({ type, fid, timestamp, network });
  } catch (cause) {
    throw parseFailure('its data is no MessageData', cause);
  }
  return { envelope, type: data.type, fid: data.fid, timestamp: data.timestamp, data };
};

/**
 * Decodes the data of a message that was verified. Those outside of `data_bytes` have numbers in the fewest bytes, because
 * hubs encode them again.
 */
export const decodeData = ({ dataBytes, dataForm }: Pick<Envelope, 'dataBytes' | 'dataForm'>): MessageData =>
  dataForm === 'data' ? MessageData.decode(dataBytes) : decodeDataBytes(dataBytes);

/** @param dataBytes the member `data_bytes` of a message that was verified. @throws WireError for other bytes */
export const decodeDataBytes = (dataBytes: Uint8Array): MessageData => MessageData.decode(withShortNumbers(dataBytes));

/** @returns the protocol's name of a message type (`MESSAGE_TYPE_CAST_ADD`), or `MESSAGE_TYPE_` and the number */
export const messageTypeName = (type: number): string => {
  const name: string | undefined = MessageType[type];
  if (name !== undefined) return `MESSAGE_TYPE_${name}`;
  return NEWER_TYPE_NAMES[type] ?? `MESSAGE_TYPE_${type}`;
};
