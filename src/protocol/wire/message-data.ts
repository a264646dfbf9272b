import { WireError, WireReader } from './wire.js';

/** The members of `MessageData` that every message type has, and its bodies as bytes. */
export interface MessageHead {
  /** `MessageType` number. */
  readonly type: number;
  readonly fid: number;
  /** Seconds since 2021-01-01T00:00:00Z. */
  readonly timestamp: number;
  /** `FarcasterNetwork` number. */
  readonly network: number;
  /** By field number of `MessageData` (protocol document, message.proto), not decoded. */
  readonly bodies: ReadonlyMap<number, Uint8Array>;
}

const FIRST_BODY_FIELD = 5;
/** `channel_moderate_body`, the last body of current hubs; later fields may have any form. */
const LAST_BODY_FIELD = 24;

/**
 * Reads the data bytes of a message of any type, including unknown ones.
 * @throws WireError for bytes that are not `MessageData` or set a field twice
 */
export const readMessageHead = (dataBytes: Uint8Array): MessageHead => {
  const reader = new WireReader(dataBytes);
  const head = [0, 0, 0, 0, 0];
  const bodies = new Map<number, Uint8Array>();
  let seen = 0;
  while (reader.next()) {
    const field = reader.field;
    if (field < FIRST_BODY_FIELD) {
      if (seen & (1 << field)) throw new WireError(`field ${field} of the data is set twice`);
      seen |= 1 << field;
      head[field] = field === 2 ? reader.uint64() : reader.uint32();
    } else if (field > LAST_BODY_FIELD) {
      reader.skip();
    } else {
      if (bodies.has(field)) throw new WireError(`field ${field} of the data is set twice`);
      bodies.set(field, reader.byteString());
    }
  }
  const [, type = 0, fid = 0, timestamp = 0, network = 0] = head;
  return { type, fid, timestamp, network, bodies };
};
