import { WireError, WireReader } from './wire.js';

/** The part of `MessageData` that every kind has, and its bodies as bytes. */
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
/** The last body that hubs know, `channel_moderate_body`; what follows may be of any form. */
const LAST_BODY_FIELD = 24;

/**
 * Reads the data bytes of a message as far as it can be done for a kind nobody knows yet.
 * @throws WireError when the bytes are no `MessageData` or set a field twice
 */
export function readMessageHead(dataBytes: Uint8Array): MessageHead {
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
}
