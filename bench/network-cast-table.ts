import type { CastRef } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';

const HASH_BYTES = 20;

/** Memory shared by all threads: the data needed to reply to or like a cast, by its number. */
export interface CastTable {
  readonly hashes: SharedArrayBuffer;
  readonly fids: SharedArrayBuffer;
  readonly times: SharedArrayBuffer;
}

/** @returns an empty table; each thread writes the casts that it signs, and reads those of completed phases */
export const createCastTable = (casts: number): CastTable => ({
  hashes: new SharedArrayBuffer(casts * HASH_BYTES),
  fids: new SharedArrayBuffer(casts * 4),
  times: new SharedArrayBuffer(casts * 4),
});

export interface CastReader {
  read(number: number): CastRef & { readonly at: number };
  write(number: number, cast: Signed): void;
}

/** @returns access to the shared memory from one thread */
export const sharedCastTable = (table: CastTable): CastReader => {
  const hashes = new Uint8Array(table.hashes);
  const fids = new Uint32Array(table.fids);
  const times = new Uint32Array(table.times);
  return {
    read: (number) => ({
      // Copied: protobuf writers do not take shared memory.
      hash: hashes.slice(number * HASH_BYTES, (number + 1) * HASH_BYTES),
      fid: fids[number] as number,
      at: times[number] as number,
    }),
    write: (number, cast) => {
      hashes.set(cast.hash, number * HASH_BYTES);
      fids[number] = cast.fid;
      times[number] = cast.timestamp;
    },
  };
};
