/** Pages are cut from slabs of this size, so that memory is asked for once in many pages. */
const SLAB_BYTES = 512 * 1024;
/** Slabs without a page that are kept for what comes; more of them stood open at once only behind slow callers. */
const MOST_SPARE = 8;

interface Slab {
  readonly buffer: Buffer;
  /** First byte that no page has. */
  free: number;
  /** Pages in it that may still be read. */
  pages: number;
}

/** By the memory that a page is a part of. */
const slabs = new WeakMap<ArrayBufferLike, Slab>();
const spare: Slab[] = [];

const createSlab = (bytes: number): Slab => {
  const slab = { buffer: Buffer.allocUnsafeSlow(bytes), free: 0, pages: 0 };
  slabs.set(slab.buffer.buffer, slab);
  return slab;
};

let current = createSlab(SLAB_BYTES);

/** Makes a slab ready for the next pages, once the last of its pages is gone. */
const reuse = (slab: Slab): void => {
  slab.free = 0;
  if (slab !== current && slab.buffer.length === SLAB_BYTES && spare.length < MOST_SPARE) spare.push(slab);
};

/**
 * Gives the memory of a page back to the pages that come: most are written where the one before stood, in memory that
 * the processor has at hand. To be called once at most, by who took care that nobody reads the bytes any more; a page
 * that is not given back is collected with its slab when nobody holds it.
 */
export const releasePage = (page: Buffer): void => {
  const slab = slabs.get(page.buffer);
  if (slab === undefined) return;
  slab.pages--;
  if (slab.pages === 0) reuse(slab);
};

/**
 * Writes a page of JSON out of finished pieces, one behind the other. Use one writer at a time and synchronously, from
 * `new JsonWriter()` to `finish()`: all writers write to one slab. A page is meant to be sent and released:
 * whoever keeps one keeps its whole slab.
 */
export class JsonWriter {
  #slab = current;
  #buffer = current.buffer;
  #start = current.free;
  #at = current.free;

  /** Appends bytes that are JSON already. */
  bytes(piece: Uint8Array): void {
    const end = this.#at + piece.length;
    if (end > this.#buffer.length) {
      this.#grow(piece.length);
      this.bytes(piece);
      return;
    }
    this.#buffer.set(piece, this.#at);
    this.#at = end;
  }

  /** Appends text that is JSON already. */
  text(piece: string): void {
    const most = piece.length * 3;
    if (this.#at + most > this.#buffer.length) this.#grow(most);
    this.#at += this.#buffer.write(piece, this.#at, 'utf8');
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#at - this.#start;
  }

  /** @returns a copy of what was written since `length` was `from`, in memory of its own. */
  copy(from: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.length - from);
    this.#buffer.copy(bytes, 0, this.#start + from, this.#at);
    return bytes;
  }

  /** Takes back bytes written last: a name whose value is missing, a brace before which more follows. */
  back(count: number): void {
    this.#at -= count;
  }

  /** @returns all that was written. */
  finish(): Buffer {
    const slab = this.#slab;
    slab.free = this.#at;
    slab.pages++;
    if (slab !== current) {
      const before = current;
      current = slab;
      if (before.pages === 0) reuse(before);
    }
    return this.#buffer.subarray(this.#start, this.#at);
  }

  /** Goes on in another slab that has room for `more` bytes and takes along what was written. */
  #grow(more: number): void {
    const written = this.#buffer.subarray(this.#start, this.#at);
    const wanted = 2 * (written.length + more);
    const next = (wanted <= SLAB_BYTES ? spare.pop() : undefined) ?? createSlab(Math.max(SLAB_BYTES, wanted));
    next.buffer.set(written);
    this.#slab = next;
    this.#buffer = next.buffer;
    this.#start = 0;
    this.#at = written.length;
  }
}
