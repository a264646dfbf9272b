/** A fault in the bytes of a protobuf message, described for its submitter. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Largest value of an unsigned 32-bit field. */
export const UINT32 = 0xffffffff;
/** Largest accepted value of an unsigned 64-bit field: the largest that a JavaScript number represents exactly. */
export const UINT53 = Number.MAX_SAFE_INTEGER;

const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_BYTES = 2;
const WIRE_FIXED32 = 5;

const varintBytes = (value: number): number => {
  let bytes = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
};

/** @returns where the number ends */
const writeVarint = (into: Uint8Array, start: number, value: number): number => {
  let at = start;
  let rest = value;
  while (rest > 0x7f) {
    into[at++] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 128);
  }
  into[at++] = rest;
  return at;
};

/** @returns a whole number from 0 to 2^53-1 as the shortest varint */
export const encodeVarint = (value: number): Uint8Array => {
  const bytes = new Uint8Array(varintBytes(value));
  writeVarint(bytes, 0, value);
  return bytes;
};

/** @returns a field with a number from 0 to 2^53-1 in the fewest bytes */
export const encodeNumber = (field: number, value: number): Uint8Array => {
  const tag = field * 8 + WIRE_VARINT;
  const bytes = new Uint8Array(varintBytes(tag) + varintBytes(value));
  writeVarint(bytes, writeVarint(bytes, 0, tag), value);
  return bytes;
};

const lengthOf = (parts: readonly Uint8Array[]): number => {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
};

/** Writes tag and length of a length-delimited field. @returns where its content begins */
const writeHead = (into: Uint8Array, tag: number, length: number): number =>
  writeVarint(into, writeVarint(into, 0, tag), length);

/** @param parts of the field's content @returns a length-delimited field with its tag and length */
export const encodeByteString = (field: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const tag = field * 8 + WIRE_BYTES;
  const length = lengthOf(parts);
  const bytes = new Uint8Array(varintBytes(tag) + varintBytes(length) + length);
  let at = writeHead(bytes, tag, length);
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/**
 * @param parts of the field's content
 * @returns the parts of a length-delimited field with its tag and length, for those who join more fields than this one
 */
export const byteStringParts = (field: number, parts: readonly Uint8Array[]): Uint8Array[] => {
  const tag = field * 8 + WIRE_BYTES;
  const length = lengthOf(parts);
  const head = new Uint8Array(varintBytes(tag) + varintBytes(length));
  writeHead(head, tag, length);
  return [head, ...parts];
};

/**
 * Reads the fields of one protobuf message (https://protobuf.dev/programming-guides/encoding/), strictly.
 *
 * protobufjs is lenient where two readers could interpret the same bytes differently: it truncates 64-bit numbers to 32
 * bits, replaces ill-formed UTF-8, skips a field of the wrong wire type, and stops at a zero tag. Here these are
 * errors, so that the decoder later reads exactly what was checked.
 */
export class WireReader {
  readonly #bytes: Uint8Array;
  #position: number;
  readonly #end: number;
  /** Number of the current field. */
  field = 0;
  /** Whether any number so far, including tags and lengths, took more bytes than necessary. */
  hasOverlongNumber = false;
  #wireType = 0;
  #fieldStart = 0;

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#position = position;
    this.#end = end;
  }

  /** Moves to the next field. @returns false at the end of the message. @throws WireError */
  next(): boolean {
    if (this.#position === this.#end) return false;
    this.#fieldStart = this.#position;
    const tag = this.#readVarint();
    if (tag > UINT32) throw new WireError('a field tag is larger than 32 bits');
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    if (this.field === 0) throw new WireError('a field has number 0');
    return true;
  }

  /** Whether the field is length-delimited: bytes, text, a message or packed numbers. */
  get isByteString(): boolean {
    return this.#wireType === WIRE_BYTES;
  }

  /** @returns the bytes of the current field including its tag, as a view */
  wholeField(): Uint8Array {
    return this.#bytes.subarray(this.#fieldStart, this.#position);
  }

  /** @returns the unsigned number of this field, at most 2^53-1. @throws WireError */
  uint64(): number {
    this.#expect(WIRE_VARINT);
    return this.#bounded(this.#readVarint(), UINT53);
  }

  /** @returns the unsigned 32-bit number (or enumeration value) of this field. @throws WireError */
  uint32(): number {
    this.#expect(WIRE_VARINT);
    return this.#bounded(this.#readVarint(), UINT32);
  }

  /** @returns the bytes of this field as a view. @throws WireError */
  byteString(): Uint8Array {
    this.#expect(WIRE_BYTES);
    const length = this.#readVarint();
    if (length > this.#end - this.#position) throw new WireError(`field ${this.field} is cut short`);
    this.#position += length;
    return this.#bytes.subarray(this.#position - length, this.#position);
  }

  /** Appends the numbers of this field to `into`: one, or a packed list. @throws WireError */
  repeated(into: number[], limit: number): void {
    if (this.#wireType === WIRE_VARINT) {
      into.push(this.#bounded(this.#readVarint(), limit));
      return;
    }
    const packed = new WireReader(this.byteString());
    while (packed.#position < packed.#end) into.push(this.#bounded(packed.#readVarint(), limit));
    this.hasOverlongNumber ||= packed.hasOverlongNumber;
  }

  /** Skips an unknown field. @throws WireError */
  skip(): void {
    if (this.#wireType === WIRE_VARINT) this.#readVarint();
    else if (this.#wireType === WIRE_BYTES) this.byteString();
    else if (this.#wireType === WIRE_FIXED64) this.#advance(8);
    else if (this.#wireType === WIRE_FIXED32) this.#advance(4);
    else throw new WireError(`field ${this.field} has wire type ${this.#wireType}, which the protocol does not use`);
  }

  #advance(count: number): void {
    if (count > this.#end - this.#position) throw new WireError(`field ${this.field} is cut short`);
    this.#position += count;
  }

  #bounded(value: number, limit: number): number {
    if (value > limit) throw new WireError(`field ${this.field} is larger than ${limit}`);
    return value;
  }

  #expect(wireType: number): void {
    if (this.#wireType === wireType) return;
    throw new WireError(`field ${this.field} has wire type ${this.#wireType}, expected ${wireType}`);
  }

  /** Values above 2^53 lose their low bits, but callers only need to know that they are larger. */
  #readVarint(): number {
    let value = 0;
    let scale = 1;
    for (let index = 0; index < 10; index++) {
      if (this.#position >= this.#end) throw new WireError('the message is cut short inside a number');
      const byte = this.#bytes[this.#position++] as number;
      if (index === 9 && byte > 1) throw new WireError('a number is larger than 64 bits');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (byte === 0 && index > 0) this.hasOverlongNumber = true;
        return value;
      }
      scale *= 128;
    }
    throw new WireError('a number is longer than 10 bytes');
  }
}
