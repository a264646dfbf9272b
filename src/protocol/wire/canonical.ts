import * as body from './body.js';
import { type FieldLayout, type Layout, message, shape, uint32, uint64 } from './protobuf-schema.js';
import { encodeByteString, encodeNumber, encodeVarint, UINT53, WireError, WireReader } from './wire.js';

/**
 * The encoder whose output the member `data` of a message must equal, because hubs encode it again to check the hash
 * (snapchain `validate_message`); data in `data_bytes` are hashed as they are.
 *
 * - `hub`: a current hub. prost writes no empty lists and drops unknown fields.
 * - `any`: any encoder of the protocol. ts-proto, in the protocol's package, writes empty lists of numbers, as older
 * hubs did; future hubs may know more fields.
 */
export type Encoder = 'hub' | 'any';

/** All bodies are in one `oneof`. */
const BODIES = {
  castAdd: message(5, body.castAddBody),
  castRemove: message(6, body.castRemoveBody),
  reaction: message(7, body.reactionBody),
  verificationAdd: message(9, body.verificationAddBody),
  verificationRemove: message(10, body.verificationRemoveBody),
  userData: message(12, body.userDataBody),
  link: message(14, body.linkBody),
  usernameProof: message(15, body.usernameProofBody),
  frameAction: message(16, body.frameActionBody),
  linkCompactState: message(17, body.linkCompactStateBody),
  lendStorage: message(18, body.lendStorageBody),
  keyAdd: message(19, body.keyAddBody),
  keyRemove: message(20, body.keyRemoveBody),
  channelUpdate: message(21, body.channelUpdateBody),
  channelMember: message(22, body.channelMemberBody),
  channelPin: message(23, body.channelPinBody),
  channelModerate: message(24, body.channelModerateBody),
};

/** The fields of `MessageData` (message.proto). */
const MESSAGE_DATA = shape({ type: uint32(1), fid: uint64(2), timestamp: uint32(3), network: uint32(4), ...BODIES }, [
  Object.keys(BODIES) as (keyof typeof BODIES)[],
]).layout;

/**
 * Checks without encoding that `MessageData` have the form of an encoder: each field once and in order, numbers in the
 * fewest bytes, lists of numbers packed, no default values. With `any`, unknown fields are accepted if they are in
 * order; their content is not checked.
 * @throws WireError naming the first field in another form, or for bytes that are not protobuf
 */
export const checkCanonical = (dataBytes: Uint8Array, encoder: Encoder): void => {
  checkFields(dataBytes, MESSAGE_DATA, encoder, '');
};

const checkFields = (bytes: Uint8Array, layout: Layout, encoder: Encoder, path: string): void => {
  const reader = new WireReader(bytes);
  let previous = { field: 0, position: 0 };
  while (reader.next()) {
    const { field } = reader;
    const known = layout.get(field);
    const at = `${path}${field}`;
    const position = known?.position ?? field;
    if (position < previous.position) throw new WireError(`field ${at} stands behind field ${path}${previous.field}`);
    if (position === previous.position && !(field === previous.field && mayRepeat(known, reader))) {
      throw new WireError(`field ${at} is set twice`);
    }
    previous = { field, position };
    if (known === undefined) checkUnknown(reader, encoder, at);
    else checkKnown(reader, known, encoder, at);
    if (reader.hasOverlongNumber) throw new WireError(`field ${at} has a number in more bytes than it needs`);
  }
};

/** Numbers in a list are packed into one field, so only length-delimited fields occur more than once. */
const mayRepeat = (known: FieldLayout | undefined, reader: WireReader): boolean =>
  known === undefined ? reader.isByteString : known.isRepeated && !known.isPacked;

const checkUnknown = (reader: WireReader, encoder: Encoder, at: string): void => {
  if (encoder === 'hub') throw new WireError(`field ${at} is not known to hubs`);
  reader.skip();
};

const checkKnown = (reader: WireReader, field: FieldLayout, encoder: Encoder, at: string): void => {
  if (field.isPacked) {
    if (!reader.isByteString) throw new WireError(`field ${at} is a list that is not packed`);
    const numbers: number[] = [];
    reader.repeated(numbers, UINT53);
    if (numbers.length === 0 && encoder === 'hub') throw new WireError(`field ${at} is an empty list`);
    return;
  }
  const bytes = field.isNumber ? undefined : reader.byteString();
  const isDefault = bytes === undefined ? reader.uint64() === 0 : bytes.length === 0;
  if (isDefault && field.isImplicit) throw new WireError(`field ${at} is set to its default`);
  if (bytes !== undefined && field.inner !== undefined) checkFields(bytes, field.inner, encoder, `${at}.`);
};

/**
 * @param dataBytes `MessageData` as the protocol's package encodes them
 * @returns the encoding of a hub, without empty lists of numbers
 * @throws WireError for bytes that are not protobuf
 */
export const withoutEmptyLists = (dataBytes: Uint8Array): Uint8Array => rewrite(dataBytes, MESSAGE_DATA);

const rewrite = (bytes: Uint8Array, layout: Layout): Uint8Array => {
  const reader = new WireReader(bytes);
  const parts: Uint8Array[] = [];
  while (reader.next()) {
    const known = layout.get(reader.field);
    if (!reader.isByteString) {
      reader.skip();
      parts.push(reader.wholeField());
      continue;
    }
    const content = reader.byteString();
    if (known?.isPacked && content.length === 0) continue;
    parts.push(
      known?.inner === undefined ? reader.wholeField() : encodeByteString(reader.field, rewrite(content, known.inner)),
    );
  }
  return new Uint8Array(Buffer.concat(parts));
};

/**
 * The decoder of the protocol's package (protobufjs) reads past a number of 32 bits that takes more than five bytes, and
 * takes what follows for something else. Hubs read such numbers.
 * @param dataBytes `MessageData` in any form
 * @returns the same known fields with every number in the fewest bytes
 * @throws WireError for bytes that are not protobuf, and for numbers above 2^53-1
 */
export const withShortNumbers = (dataBytes: Uint8Array): Uint8Array => shorten(dataBytes, MESSAGE_DATA);

const shorten = (bytes: Uint8Array, layout: Layout): Uint8Array => {
  const reader = new WireReader(bytes);
  const parts: Uint8Array[] = [];
  while (reader.next()) {
    const { field } = reader;
    const known = layout.get(field);
    if (known === undefined) {
      reader.skip();
    } else if (known.isPacked) {
      const numbers: number[] = [];
      reader.repeated(numbers, UINT53);
      parts.push(encodeByteString(field, Buffer.concat(numbers.map(encodeVarint))));
    } else if (known.isNumber) {
      parts.push(encodeNumber(field, reader.uint64()));
    } else {
      const content = reader.byteString();
      parts.push(encodeByteString(field, known.inner === undefined ? content : shorten(content, known.inner)));
    }
  }
  return new Uint8Array(Buffer.concat(parts));
};
