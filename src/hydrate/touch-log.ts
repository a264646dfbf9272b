import type { Touched } from '../store/change.js';
import { accountItself, castItselfOfBytes, type ListSource } from '../store/list-source.js';

/** Touches that are remembered. Who was asked for longer ago than that many is asked for anew. */
const ROOM = 1 << 17;

/**
 * In which order the sources of lists were touched, as far back as there is room. Who made something from sources
 * notes `now()` before it began to read, and asks later whether one of them was touched since: that costs as much as
 * there are sources or as there were touches, whichever is less, so that a feed of thousands of accounts is cheap.
 */
export class TouchLog {
  /** What was touched, by its place modulo the room. */
  readonly #touched: Float64Array;
  /** Place of the last touch of each source that is still in the log. */
  readonly #last = new Map<ListSource, number>();
  #next = 0;
  /** What began before this place cannot be judged any more. */
  #floor = 0;

  constructor(room = ROOM) {
    this.#touched = new Float64Array(room);
  }

  /** @returns the moment; only for `isTouchedSince`. */
  now(): number {
    return this.#next;
  }

  add({ fids, casts, lists, all }: Touched): void {
    for (const source of lists) this.#touch(source);
    for (const fid of fids) this.#touch(accountItself(fid));
    for (const hash of casts) this.#touch(castItselfOfBytes(hash));
    if (!all) return;
    this.#push(Number.NaN);
    this.#floor = this.#next;
  }

  /** @param moment what `now()` said then. @returns whether one of the sources may have been touched since. */
  isTouchedSince(moment: number, sources: ReadonlySet<ListSource> | Float64Array): boolean {
    if (moment < this.#floor) return true;
    if (moment === this.#next) return false;
    if (sources instanceof Set && this.#next - moment < sources.size) {
      for (let place = moment; place < this.#next; place++) {
        if (sources.has(this.#touched[place % this.#touched.length] as number)) return true;
      }
      return false;
    }
    for (const source of sources as Iterable<ListSource>) {
      const last = this.#last.get(source);
      if (last !== undefined && last >= moment) return true;
    }
    return false;
  }

  #touch(source: ListSource): void {
    this.#last.set(source, this.#push(source));
  }

  #push(source: ListSource): number {
    const place = this.#next++;
    const room = this.#touched.length;
    if (place >= room) {
      const forgotten = this.#touched[place % room] as number;
      if (this.#last.get(forgotten) === place - room) this.#last.delete(forgotten);
      this.#floor = Math.max(this.#floor, place - room + 1);
    }
    this.#touched[place % room] = source;
    return place;
  }
}
