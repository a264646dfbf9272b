import { MAX_PIECE_BYTES, readLength } from './format.js';

/** Why a piece of a file contains no item. */
export type FileFormatError =
  /** The file ends inside it. */
  | 'truncated'
  /** It exceeds the maximum size and was skipped. */
  | 'too_large'
  /** It is no UTF-8. */
  | 'bad_encoding'
  /** It is no JSON. */
  | 'bad_json'
  /** It is neither a message nor an event nor a proof. */
  | 'bad_item'
  /** Its length is invalid, so what follows cannot be found. */
  | 'bad_frame'
  /** The compressed data is damaged, so what follows cannot be found. */
  | 'corrupt';

/** A line or record, or an error. `number` counts from 1. */
export type FileEntryBytes =
  | { readonly number: number; readonly bytes: Uint8Array; readonly isUnfinished: boolean }
  | { readonly number: number; readonly fault: FileFormatError; readonly detail: string };

/** Splits a file into pieces as it is read; holds at most one piece and one chunk. */
export interface FileSplitter {
  /** @returns the pieces that end in this chunk; their bytes may be views of it */
  push(chunk: Uint8Array): Iterable<FileEntryBytes>;
  /** @returns the rest at the end of the file */
  end(): Iterable<FileEntryBytes>;
}

const tooLarge = (number: number): FileEntryBytes => ({
  number,
  fault: 'too_large',
  detail: `longer than ${MAX_PIECE_BYTES} bytes`,
});

/** Splits at line feeds. */
export class LineSplitter implements FileSplitter {
  readonly #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #isSkipping = false;
  #number = 1;

  *push(chunk: Uint8Array): Generator<FileEntryBytes> {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield* this.#take(chunk.subarray(start, end));
      const line = this.#flush(false);
      if (line) yield line;
      this.#isSkipping = false;
      this.#number++;
      start = end + 1;
    }
    yield* this.#take(chunk.subarray(start));
  }

  *end(): Generator<FileEntryBytes> {
    const line = this.#pendingBytes > 0 ? this.#flush(true) : undefined;
    if (line) yield line;
  }

  *#take(part: Uint8Array): Generator<FileEntryBytes> {
    if (this.#isSkipping || part.length === 0) return;
    this.#pending.push(part);
    this.#pendingBytes += part.length;
    if (this.#pendingBytes <= MAX_PIECE_BYTES) return;
    yield tooLarge(this.#number);
    this.#isSkipping = true;
    this.#drop();
  }

  #flush(isUnfinished: boolean): FileEntryBytes | undefined {
    if (this.#isSkipping) return undefined;
    const [only] = this.#pending;
    const bytes = only && this.#pending.length === 1 ? only : Buffer.concat(this.#pending);
    this.#drop();
    return { number: this.#number, bytes, isUnfinished };
  }

  #drop(): void {
    this.#pending.length = 0;
    this.#pendingBytes = 0;
  }
}

/** Splits records by the length before each. */
export class RecordSplitter implements FileSplitter {
  #rest: Uint8Array = new Uint8Array();
  #skip = 0;
  #number = 1;
  #isLost = false;

  *push(chunk: Uint8Array): Generator<FileEntryBytes> {
    if (this.#isLost) return;
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.length);
      this.#skip -= skipped;
      bytes = bytes.subarray(skipped);
      const prefix = bytes.length > 0 ? readLength(bytes) : undefined;
      if (prefix === undefined) break;
      if (prefix === 'bad') {
        this.#isLost = true;
        yield { number: this.#number, fault: 'bad_frame', detail: 'no length where one must stand' };
        return;
      }
      const end = prefix.size + prefix.length;
      if (prefix.length > MAX_PIECE_BYTES) {
        yield tooLarge(this.#number);
        this.#skip = end;
      } else {
        if (bytes.length < end) break;
        yield { number: this.#number, bytes: bytes.subarray(prefix.size, end), isUnfinished: false };
        bytes = bytes.subarray(end);
      }
      this.#number++;
    }
    this.#rest = bytes;
  }

  *end(): Generator<FileEntryBytes> {
    if (this.#isLost || (this.#rest.length === 0 && this.#skip === 0)) return;
    yield { number: this.#number, fault: 'truncated', detail: 'the file ends inside a record' };
  }
}
