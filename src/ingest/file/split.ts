import { MAX_PIECE_BYTES, readLength } from './format.js';

/** Why a piece of a file says nothing. */
export type FileFault =
  /** The file ends inside it. */
  | 'truncated'
  /** It is longer than a piece may be, and was passed over. */
  | 'too_large'
  /** It is no UTF-8. */
  | 'bad_encoding'
  /** It is no JSON. */
  | 'bad_json'
  /** It is neither a message nor an event nor a proof. */
  | 'bad_item'
  /** Its length cannot be one; what follows cannot be found. */
  | 'bad_frame'
  /** The compressed file is damaged; what follows cannot be found. */
  | 'corrupt';

/** A line or record, or why there is none. `number` counts from 1. */
export type Piece =
  | { readonly number: number; readonly bytes: Uint8Array; readonly isUnfinished: boolean }
  | { readonly number: number; readonly fault: FileFault; readonly detail: string };

/** Cuts a file into pieces while it is read; never holds more than one piece and one chunk. */
export interface Splitter {
  /** @returns the pieces that end in this chunk; their bytes may be views into it */
  push(chunk: Uint8Array): Iterable<Piece>;
  /** @returns what is left at the end of the file */
  end(): Iterable<Piece>;
}

const tooLarge = (number: number): Piece => ({
  number,
  fault: 'too_large',
  detail: `longer than ${MAX_PIECE_BYTES} bytes`,
});

/** Cuts at line feeds. */
export class LineSplitter implements Splitter {
  private readonly pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private isSkipping = false;
  private number = 1;

  *push(chunk: Uint8Array): Generator<Piece> {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield* this.take(chunk.subarray(start, end));
      const line = this.flush(false);
      if (line) yield line;
      this.isSkipping = false;
      this.number++;
      start = end + 1;
    }
    yield* this.take(chunk.subarray(start));
  }

  *end(): Generator<Piece> {
    const line = this.pendingBytes > 0 ? this.flush(true) : undefined;
    if (line) yield line;
  }

  private *take(part: Uint8Array): Generator<Piece> {
    if (this.isSkipping || part.length === 0) return;
    this.pending.push(part);
    this.pendingBytes += part.length;
    if (this.pendingBytes <= MAX_PIECE_BYTES) return;
    yield tooLarge(this.number);
    this.isSkipping = true;
    this.drop();
  }

  private flush(isUnfinished: boolean): Piece | undefined {
    if (this.isSkipping) return undefined;
    const [only] = this.pending;
    const bytes = only && this.pending.length === 1 ? only : Buffer.concat(this.pending);
    this.drop();
    return { number: this.number, bytes, isUnfinished };
  }

  private drop(): void {
    this.pending.length = 0;
    this.pendingBytes = 0;
  }
}

/** Cuts at the lengths that stand before the records. */
export class RecordSplitter implements Splitter {
  private rest: Uint8Array = new Uint8Array();
  private skip = 0;
  private number = 1;
  private isLost = false;

  *push(chunk: Uint8Array): Generator<Piece> {
    if (this.isLost) return;
    let bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    for (;;) {
      const skipped = Math.min(this.skip, bytes.length);
      this.skip -= skipped;
      bytes = bytes.subarray(skipped);
      const prefix = bytes.length > 0 ? readLength(bytes) : undefined;
      if (prefix === undefined) break;
      if (prefix === 'bad') {
        this.isLost = true;
        yield { number: this.number, fault: 'bad_frame', detail: 'no length where one must stand' };
        return;
      }
      const end = prefix.size + prefix.length;
      if (prefix.length > MAX_PIECE_BYTES) {
        yield tooLarge(this.number);
        this.skip = end;
      } else {
        if (bytes.length < end) break;
        yield { number: this.number, bytes: bytes.subarray(prefix.size, end), isUnfinished: false };
        bytes = bytes.subarray(end);
      }
      this.number++;
    }
    this.rest = bytes;
  }

  *end(): Generator<Piece> {
    if (this.isLost || (this.rest.length === 0 && this.skip === 0)) return;
    yield { number: this.number, fault: 'truncated', detail: 'the file ends inside a record' };
  }
}
