import type { ListSource } from '../store/list-source.js';
import type { Account } from './account.js';
import type { Assembly } from './assembly.js';
import type { Kept } from './kept.js';

/** What of a page ends by itself: fragments say so once they are rendered. */
interface Shown {
  readonly accounts: ReadonlyMap<number, Account>;
  readonly whole: ReadonlyMap<unknown, Assembly>;
}

/** What an answer is made from, noted while it is made: whoever keeps the answer sees by it how long that is right. */
export class Basis {
  readonly #sources = new Set<ListSource>();
  readonly #pages: Shown[] = [];

  note(source: ListSource): void {
    this.#sources.add(source);
  }

  noteAll(sources: Iterable<ListSource>): void {
    for (const source of sources) this.#sources.add(source);
  }

  /** Notes all that was looked up for something that was kept before. */
  noteKept({ from }: Kept): void {
    for (const { cache, key } of from) {
      const source = cache.touchedBy?.(key as never);
      if (source !== undefined) this.#sources.add(source);
    }
  }

  /** Notes a page whose fragments the answer is written from. */
  notePage(page: Shown): void {
    this.#pages.push(page);
  }

  /** Each source once. */
  get sources(): Float64Array {
    return Float64Array.from(this.#sources);
  }

  /** Unix milliseconds from which on it is another answer; infinity: never by itself. To be asked when it is written. */
  get until(): number {
    let until = Number.POSITIVE_INFINITY;
    for (const { accounts, whole } of this.#pages) {
      for (const { profile } of accounts.values()) until = Math.min(until, profile.user?.until ?? until);
      for (const assembly of whole.values()) until = Math.min(until, assembly.until);
    }
    return until;
  }
}
