/** Pages are cut from slabs of this size, so that memory is asked for once in many pages. */
const SLAB_BYTES = 512 * 1024;

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
/** First byte of the slab that no page has. */
let free = 0;

/**
 * Writes a page of JSON out of finished pieces, one behind the other. Use one writer at a time and synchronously, from
 * `new JsonWriter()` to `finish()`: all writers write to one slab. A page is meant to be sent and forgotten:
 * whoever keeps one keeps its whole slab.
 */
export class JsonWriter {
  #slab = slab;
  #start = free;
  #at = free;

  /** Appends bytes that are JSON already. */
  bytes(piece: Uint8Array): void {
    const end = this.#at + piece.length;
    if (end > this.#slab.length) {
      this.#grow(piece.length);
      this.bytes(piece);
      return;
    }
    this.#slab.set(piece, this.#at);
    this.#at = end;
  }

  /** Appends text that is JSON already. */
  text(piece: string): void {
    const most = piece.length * 3;
    if (this.#at + most > this.#slab.length) this.#grow(most);
    this.#at += this.#slab.write(piece, this.#at, 'utf8');
  }

  /** Takes back bytes written last: a name whose value is missing, a brace before which more follows. */
  back(count: number): void {
    this.#at -= count;
  }

  /** @returns all that was written. */
  finish(): Buffer {
    slab = this.#slab;
    free = this.#at;
    return this.#slab.subarray(this.#start, this.#at);
  }

  /** Goes on in a new slab that has room for `more` bytes and takes along what was written. */
  #grow(more: number): void {
    const written = this.#slab.subarray(this.#start, this.#at);
    const next = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, 2 * (written.length + more)));
    next.set(written);
    this.#slab = next;
    this.#start = 0;
    this.#at = written.length;
  }
}
