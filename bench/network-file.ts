import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** @returns the parts, each prefixed with its length as a varint (protobuf's delimited form) */
export const delimited = (parts: readonly Uint8Array[]): Uint8Array => {
  let size = 0;
  for (const part of parts) size += varintBytes(part.length) + part.length;
  const bytes = new Uint8Array(size);
  let position = 0;
  for (const part of parts) {
    let length = part.length;
    while (length > 0x7f) {
      bytes[position++] = (length & 0x7f) | 0x80;
      length >>>= 7;
    }
    bytes[position++] = length;
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
};

const varintBytes = (value: number): number => (value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : 4);

/** @returns the parts of a delimited file, copied out of the read buffer */
export async function* readDelimited(path: string): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const block of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    const bytes: Uint8Array = rest.length === 0 ? block : Buffer.concat([rest, block]);
    let position = 0;
    for (;;) {
      const found = partAt(bytes, position);
      if (found === undefined) break;
      yield bytes.slice(found.start, found.end);
      position = found.end;
    }
    rest = bytes.slice(position);
  }
  if (rest.length > 0) throw new Error(`${path} ends in the middle of a message`);
}

const partAt = (bytes: Uint8Array, position: number): { start: number; end: number } | undefined => {
  let length = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[position + index];
    if (byte === undefined) return undefined;
    length |= (byte & 0x7f) << (7 * index);
    if (byte >= 0x80) continue;
    const start = position + index + 1;
    return start + length <= bytes.length ? { start, end: start + length } : undefined;
  }
  throw new Error('a length of more than four bytes');
};

/** A file to which chunks are appended in order, even if they arrive out of order. */
export interface OrderedFile {
  put(place: number, bytes: Uint8Array): Promise<void>;
  /** @returns the size in bytes, after all of them are on disk */
  close(): Promise<number>;
}

export const openOrdered = async (path: string): Promise<OrderedFile> => {
  const file = await open(path, 'w');
  const waiting = new Map<number, Uint8Array>();
  let next = 0;
  let size = 0;
  let writing = Promise.resolve();
  const flush = async (): Promise<void> => {
    for (let bytes = waiting.get(next); bytes !== undefined; bytes = waiting.get(next)) {
      waiting.delete(next++);
      await file.writeFile(bytes);
      size += bytes.length;
    }
  };
  return {
    put: (place, bytes) => {
      waiting.set(place, bytes);
      writing = writing.then(flush);
      return writing;
    },
    close: async () => {
      await writing;
      await file.sync();
      await file.close();
      return size;
    },
  };
};
