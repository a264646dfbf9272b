/** A set of items by their number in the files, in a bit for each number up to the highest of the set. */
export class ItemSet {
  #bits = new Uint8Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(place: number): boolean {
    return ((this.#bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  add(place: number): void {
    if (this.has(place)) return;
    const byte = place >> 3;
    if (byte >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(byte + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (place & 7));
    this.#size++;
  }

  delete(place: number): void {
    if (!this.has(place)) return;
    const byte = place >> 3;
    this.#bits[byte] = (this.#bits[byte] ?? 0) & ~(1 << (place & 7));
    this.#size--;
  }
}
