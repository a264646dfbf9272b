import { LRUCache } from 'lru-cache';

/** What an entry takes beside its bytes, about: the key, the Buffer and the list's own record. */
const OVERHEAD = 300;

/**
 * Rendered JSON of things that never change, by key; the least recently used go when the bound is reached.
 * Things that change belong into the entity cache, which knows when they do.
 */
export class FragmentCache {
  readonly #entries: LRUCache<string, Buffer> | undefined;

  /** @param bytes bound of all entries together; 0 keeps nothing */
  constructor(bytes: number) {
    this.#entries =
      bytes > 0
        ? new LRUCache({ maxSize: bytes, maxEntrySize: bytes, sizeCalculation: (entry) => entry.length + OVERHEAD })
        : undefined;
  }

  get(key: string): Buffer | undefined {
    return this.#entries?.get(key);
  }

  /** @returns the fragment as bytes of its own, kept if there is room. */
  set(key: string, json: string): Buffer {
    // Not from the shared pool: a small slice would keep a whole block of 8 KiB alive and uncounted.
    const fragment = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
    fragment.write(json);
    this.#entries?.set(key, fragment);
    return fragment;
  }
}
