/** One buffer that all pages are written into, one after the other: a page is made without awaiting anything. */
let shared = Buffer.allocUnsafeSlow(256 * 1024);
/** A page larger than this leaves no buffer of its size behind. */
const KEEP_BYTES = 8 * 1024 * 1024;

/**
 * Writes JSON out of finished pieces, one behind the other. Use one writer at a time and synchronously, from
 * `new JsonWriter()` to `finish()`: all writers share their memory.
 */
export class JsonWriter {
  #buffer = shared;
  #at = 0;

  /** Appends bytes that are JSON already. */
  bytes(piece: Uint8Array): void {
    const end = this.#at + piece.length;
    if (end > this.#buffer.length) this.#grow(end);
    this.#buffer.set(piece, this.#at);
    this.#at = end;
  }

  /** Appends text that is JSON already. */
  text(piece: string): void {
    if (this.#at + piece.length * 3 > this.#buffer.length) this.#grow(this.#at + piece.length * 3);
    this.#at += this.#buffer.write(piece, this.#at, 'utf8');
  }

  /** Takes back bytes written last: a name whose value is missing, a brace before which more follows. */
  back(count: number): void {
    this.#at -= count;
  }

  /** @returns a copy of all that was written. */
  finish(): Buffer {
    const written = Buffer.from(this.#buffer.subarray(0, this.#at));
    if (this.#buffer.length <= KEEP_BYTES) shared = this.#buffer;
    return written;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    larger.set(this.#buffer.subarray(0, this.#at));
    this.#buffer = larger;
  }
}
