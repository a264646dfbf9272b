import { HubEvent, HubEventType, OnChainEvent } from '@farcaster/core';
import { CHANNEL_REGISTER_EVENT } from '../../protocol/channel/type.js';
import { messageFromJson } from '../../protocol/hub-json/message-read.js';
import { onChainEventFromJson, onChainEventToJson } from '../../protocol/hub-json/onchain.js';
import { messageToPackageJson } from '../../protocol/hub-json/package-json.js';
import { usernameProofFromJson, usernameProofToJson } from '../../protocol/hub-json/proof.js';
import { badJson, isSet, type JsonObject, readBytes, readObject, toBase64 } from '../../protocol/hub-json/scalar.js';
import { decodeMessage } from '../../protocol/wire/decode.js';
import { decodeEnvelope } from '../../protocol/wire/envelope.js';
import { encodeVarint, WireError, WireReader } from '../../protocol/wire/wire.js';
import { encodeOnchainEvent, itemsOfHubEvent } from '../event-item.js';
import type { IngestItem } from '../item.js';
import { readHubEvent } from '../wire.js';

/*
 * The two forms of files that are imported and exported. Both may be compressed with gzip.
 *
 * json: newline-delimited JSON, one item a line.
 *   - a message as `Message.fromJSON` of the protocol's package reads it (`messageToPackageJson`); in files of others, as
 *     hubs write it
 *   - an onchain event: {"onChainEvent": {...}}, or the event alone as hubs write it
 *   - a username proof that no message carries: {"usernameProof": {...}}, or the proof alone
 *
 * protobuf: records, each after its length as a varint.
 *   - `Message`, byte for byte as it was signed
 *   - `HubEvent`: what is no message (an onchain event, a username proof) is a merge event here, and the event log of
 *     a hub can be read as it is, prunes and revokes included. A HubEvent starts with its type, byte 0x08, with which
 *     no Message can start, so that one file may contain both.
 */
export type FileFormat = 'json' | 'protobuf';

export type FileItem = Exclude<IngestItem, { kind: 'removal' }>;

/** Longest line and record in bytes; valid messages are far shorter. */
export const MAX_PIECE_BYTES = 1024 * 1024;

/** @returns one line of the json format, with its line feed */
export const lineOfItem = (item: FileItem): string => {
  if (item.kind === 'onchain') return `${JSON.stringify(onchainLine(item))}\n`;
  if (item.kind === 'proof') return `${JSON.stringify({ usernameProof: usernameProofToJson(item.proof) })}\n`;
  return `${JSON.stringify(messageToPackageJson(decodeMessage(decodeEnvelope(item.wire))))}\n`;
};

/**
 * @param json a parsed line of the json format
 * @throws AppError invalid with the path of the invalid member
 */
export const itemFromJson = (json: unknown): IngestItem => {
  const line = readObject(json, '');
  if (isSet(line.onChainEventBytes)) {
    const wire = readBytes(line.onChainEventBytes, 'onChainEventBytes');
    return { kind: 'onchain', event: OnChainEvent.decode(wire), wire };
  }
  if (isSet(line.onChainEvent)) {
    return { kind: 'onchain', event: onChainEventFromJson(line.onChainEvent, 'onChainEvent') };
  }
  if (isSet(line.usernameProof)) {
    return { kind: 'proof', proof: usernameProofFromJson(line.usernameProof, 'usernameProof') };
  }
  if (isSet(line.data) || isSet(line.dataBytes)) return { kind: 'message', wire: messageFromJson(line) };
  if (isSet(line.transactionHash)) return { kind: 'onchain', event: onChainEventFromJson(line) };
  if (isSet(line.owner)) return { kind: 'proof', proof: usernameProofFromJson(line) };
  throw badJson('', 'a message, an onchain event or a username proof in hub form');
};

/** @returns one record of the protobuf format with its length */
export const recordOfItem = (item: FileItem): Uint8Array => {
  const record = recordBytes(item);
  return Buffer.concat([encodeVarint(record.length), record]);
};

/**
 * @param record a record of the protobuf format without its length
 * @returns its items: one for a message, which is not decoded, and any number for an event
 * @throws WireError, or an error of the protocol's decoder, for an unreadable event
 */
export const itemsOfRecord = (record: Uint8Array): IngestItem[] => {
  if (record[0] !== EVENT_START) return [{ kind: 'message', wire: new Uint8Array(record) }];
  const event = readHubEvent(new Uint8Array(record));
  const items = itemsOfHubEvent(event);
  if (!items) throw new WireError(`event type ${event.type} is not known`);
  return items;
};

/**
 * Detects the format by content, because file names are unreliable.
 * @param head the first bytes of the uncompressed file, a few kilobytes or all of it
 */
export const formatOf = (head: Uint8Array): FileFormat =>
  !startsLikeJson(head) && startsWithRecord(head) ? 'protobuf' : 'json';

/** Field 1 as a number: the type of a HubEvent. */
const EVENT_START = 0x08;

/** First bytes of records: the type of an event, or data, hash or data_bytes of a message. */
const RECORD_STARTS: ReadonlySet<number | undefined> = new Set([EVENT_START, 0x0a, 0x12, 0x3a]);

/** The bytes are added where JSON lacks the body: the registration of a channel. */
const onchainLine = ({ event, wire }: Extract<FileItem, { kind: 'onchain' }>): JsonObject => {
  const isChannel = (event.type as number) === CHANNEL_REGISTER_EVENT;
  const onChainEvent = onChainEventToJson(event);
  return wire && isChannel ? { onChainEvent, onChainEventBytes: toBase64(wire) } : { onChainEvent };
};

const recordBytes = (item: FileItem): Uint8Array => {
  if (item.kind === 'message') return item.wire;
  if (item.kind === 'onchain') return encodeOnchainEvent(item);
  const mergeUsernameProofBody = { usernameProof: item.proof };
  return HubEvent.encode(HubEvent.create({ type: HubEventType.MERGE_USERNAME_PROOF, mergeUsernameProofBody })).finish();
};

/** `{"`, `{}` or a brace and white space, after a byte order mark or white space. */
const startsLikeJson = (head: Uint8Array): boolean =>
  /^(?:\u00ef\u00bb\u00bf)?\s*\{[\s"}]/.test(Buffer.from(head.subarray(0, 256)).toString('latin1'));

/** Whether the first record, as far as it is included, is protobuf. */
const startsWithRecord = (head: Uint8Array): boolean => {
  const prefix = readLength(head);
  if (prefix === undefined || prefix === 'bad' || prefix.length > MAX_PIECE_BYTES) return false;
  if (!RECORD_STARTS.has(head[prefix.size])) return false;
  const end = prefix.size + prefix.length;
  const reader = new WireReader(head.subarray(prefix.size, end));
  try {
    while (reader.next()) reader.skip();
  } catch {
    return head.length < end && !isText(head);
  }
  return true;
};

/** Text has no other control characters; protobuf has some within its first few bytes. */
const isText = (head: Uint8Array): boolean =>
  head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);

/**
 * @returns the length at the beginning of `bytes` and the size of that prefix; undefined for an incomplete prefix;
 *   'bad' if it is longer than any valid one
 */
export const readLength = (bytes: Uint8Array): { length: number; size: number } | undefined | 'bad' => {
  let length = 0;
  for (let size = 0; size < 5; size++) {
    const byte = bytes[size];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 128 ** size;
    if (byte < 0x80) return { length, size: size + 1 };
  }
  return 'bad';
};
