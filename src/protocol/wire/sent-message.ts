import { encodeEnvelope } from './envelope.js';
import { ENVELOPE_FIELD } from './envelope-wire.js';
import type { Envelope } from './message.js';
import { byteStringParts, encodeByteString, encodeNumber, WireReader } from './wire.js';

const EMPTY = new Uint8Array(0);

/**
 * @returns the bytes of a `Message` as hubs send it: with its data in `data`, which clients read, and beside it the exact
 *   bytes in `data_bytes` if it came so
 * @source `message_bytes_decode` of snapchain's `src/storage/store/account/message.rs`
 */
export const sentMessage = (envelope: Envelope): Uint8Array => {
  const bytes = encodeEnvelope(envelope);
  if (envelope.dataForm === 'data') return bytes;
  return Buffer.concat([encodeByteString(ENVELOPE_FIELD.data, envelope.dataBytes), bytes]);
};

/** @param message the bytes of a stored `Message` @returns them as {@link sentMessage} does */
const asSent: Change = (message) => {
  const reader = new WireReader(message);
  let data: Uint8Array | undefined;
  while (reader.next()) {
    if (reader.field === ENVELOPE_FIELD.data) return [message];
    if (reader.field === ENVELOPE_FIELD.dataBytes) data = reader.byteString();
    else reader.skip();
  }
  return data === undefined ? [message] : [...byteStringParts(ENVELOPE_FIELD.data, [data]), message];
};

/** @returns the new content, in one part or several */
type Change = (content: Uint8Array) => readonly Uint8Array[];

/** @param changeOf says how the content of a field is changed; undefined: not at all */
const changed = (bytes: Uint8Array, changeOf: (field: number) => Change | undefined): Uint8Array[] => {
  const reader = new WireReader(bytes);
  const parts: Uint8Array[] = [];
  while (reader.next()) {
    const change = changeOf(reader.field);
    if (change !== undefined) parts.push(...byteStringParts(reader.field, change(reader.byteString())));
    else {
      reader.skip();
      parts.push(reader.wholeField());
    }
  }
  return parts;
};

/** Fields of the protobuf `HubEvent` beside its body (protocol document, hub_event.proto). */
const EVENT_FIELD = { id: 2, blockNumber: 12, shardIndex: 14, timestamp: 15 } as const;

/** In which fields of the bodies of a `HubEvent` there are messages: of a merge, a prune, a revoke, a name's proof. */
const MESSAGES_IN: Readonly<Record<number, readonly number[]>> = { 3: [1, 2], 4: [1, 2], 5: [1, 2], 8: [3, 4] };

/** @returns how the content of each field of a `HubEvent` changes when its messages change like this */
const inMessages = (change: Change): ReadonlyMap<number, Change> =>
  new Map(
    Object.entries(MESSAGES_IN).map(([body, fields]) => {
      const changeOf = (field: number) => (fields.includes(field) ? change : undefined);
      return [Number(body), (content) => changed(content, changeOf)];
    }),
  );

/** @returns a `Message` with its data in `data_bytes`, whichever of its members it was in */
const withDataBytes: Change = (message) => {
  const reader = new WireReader(message);
  const parts: Uint8Array[] = [];
  let data: Uint8Array | undefined;
  while (reader.next()) {
    if (reader.field === ENVELOPE_FIELD.dataBytes) return [message];
    if (reader.field === ENVELOPE_FIELD.data) data = reader.byteString();
    else {
      reader.skip();
      parts.push(reader.wholeField());
    }
  }
  if (data !== undefined) parts.push(...byteStringParts(ENVELOPE_FIELD.dataBytes, [data]));
  return parts;
};

const WITH_DATA_BYTES = inMessages(withDataBytes);

/**
 * The protocol's package loses what it does not know of a message's `data`, and keeps `data_bytes` as they are.
 * @param event the bytes of a `HubEvent` as the log has it
 * @returns the event for the decoder of the package, with the exact data of its messages
 */
export const eventWithDataBytes = (event: Uint8Array): Uint8Array =>
  Buffer.concat(changed(event, (field) => WITH_DATA_BYTES.get(field)));

const AS_SENT = inMessages(asSent);

/** Where and when an event happened. */
export interface EventPlace {
  readonly id: number;
  readonly blockNumber: number;
  readonly shardIndex: number;
  /** Protocol seconds. */
  readonly timestamp: number;
}

/**
 * @param event the bytes of a `HubEvent` as the log has it: its type, then its body
 * @returns the event with its place, and its messages as {@link sentMessage} returns them
 */
export const sentEvent = (event: Uint8Array, { id, blockNumber, shardIndex, timestamp }: EventPlace): Buffer => {
  const [type = EMPTY, ...body] = changed(event, (field) => AS_SENT.get(field));
  return Buffer.concat([
    type,
    encodeNumber(EVENT_FIELD.id, id),
    ...body,
    encodeNumber(EVENT_FIELD.blockNumber, blockNumber),
    encodeNumber(EVENT_FIELD.shardIndex, shardIndex),
    encodeNumber(EVENT_FIELD.timestamp, timestamp),
  ]);
};
