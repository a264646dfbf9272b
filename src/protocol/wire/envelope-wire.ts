import type { Envelope } from './message.js';
import { WireError, WireReader } from './wire.js';

/** Field numbers of the protobuf `Message` (protocol document, message.proto). */
export const ENVELOPE_FIELD = {
  data: 1,
  hash: 2,
  hashScheme: 3,
  signature: 4,
  signatureScheme: 5,
  signer: 6,
  dataBytes: 7,
} as const;

const EMPTY: Uint8Array = new Uint8Array(0);

/**
 * Reads the protobuf `Message` without decoding its data. It does not use the protocol's package, so that verification
 * workers start in milliseconds.
 *
 * If both `data` and `data_bytes` are set, `data_bytes` counts, as on hubs: it is what was hashed. Members of the
 * result are views into `wire`. Unknown fields are skipped.
 * @throws WireError for bytes that are not a `Message`, set a field twice or contain no data
 */
export const readEnvelope = (wire: Uint8Array): Envelope => {
  const reader = new WireReader(wire);
  let seen = 0;
  let data: Uint8Array | undefined;
  let dataBytes: Uint8Array | undefined;
  let hash = EMPTY;
  let signature = EMPTY;
  let signer = EMPTY;
  let hashScheme = 0;
  let signatureScheme = 0;
  while (reader.next()) {
    const field = reader.field;
    if (field > ENVELOPE_FIELD.dataBytes) {
      reader.skip();
      continue;
    }
    if (seen & (1 << field)) throw new WireError(`field ${field} of the message is set twice`);
    seen |= 1 << field;
    if (field === ENVELOPE_FIELD.data) data = reader.byteString();
    else if (field === ENVELOPE_FIELD.hash) hash = reader.byteString();
    else if (field === ENVELOPE_FIELD.hashScheme) hashScheme = reader.uint32();
    else if (field === ENVELOPE_FIELD.signature) signature = reader.byteString();
    else if (field === ENVELOPE_FIELD.signatureScheme) signatureScheme = reader.uint32();
    else if (field === ENVELOPE_FIELD.signer) signer = reader.byteString();
    else dataBytes = reader.byteString();
  }
  const bytes = dataBytes ?? data;
  if (bytes === undefined || bytes.length === 0) throw new WireError('the message carries no data');
  const dataForm = dataBytes === undefined ? 'data' : 'data_bytes';
  return { dataBytes: bytes, dataForm, hash, hashScheme, signature, signatureScheme, signer };
};
