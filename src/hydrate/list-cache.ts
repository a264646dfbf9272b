import { LRUCache } from 'lru-cache';
import { toUnixMs } from '../protocol/time.js';
import type { ListSource } from '../store/list-source.js';
import type { Freshness } from './freshness.js';

/** A page of a list as its own queries returned it: ids, places, counts, the cursor of the next page. */
export interface LoadedPage<Page> {
  readonly page: Page;
  /** Bytes that the page takes in memory, about: a number in a list 10, a hash 80, a row 60 beside its hashes. */
  readonly bytes: number;
  /** What it was made from besides what could be said before. */
  readonly sources?: Iterable<ListSource>;
  /** Unix milliseconds at which it is void by itself: something stored comes into it. Absent: never. */
  readonly until?: number | undefined;
}

/** @param next protocol seconds, if any. @returns `until` of a first page whose list has its next entry then. */
export const dueAt = (next: number | null | undefined): number | undefined =>
  next === null || next === undefined ? undefined : toUnixMs(next);

/** Which page of which list is asked for. */
export interface PageRequest {
  /** Everything that decides the page: operation, filters, audience, size, cursor. */
  readonly key: readonly unknown[];
  /** What it is made from, as far as that can be said before it is read. */
  readonly sources: readonly ListSource[];
  /** Unix milliseconds of the request. */
  readonly now: number;
}

interface Kept {
  readonly page: unknown;
  readonly sources: ReadonlySet<ListSource>;
  readonly from: number;
  readonly until: number;
  /** Moment of the touch log up to which none of the sources was touched. */
  holdsAt: number;
}

interface Load {
  readonly began: number;
  readonly page: Promise<unknown>;
}

/** Bytes about: of a place in the cache, of one source. */
const OVERHEAD = 800;
const PER_SOURCE = 40;

/** What lists are read through. */
export interface Lists {
  /**
   * @param load reads the page from the store. What it read must be named: a page is kept until one of its sources is
   *   touched. Without a cache, and while changes may have been missed, it is called each time.
   * @throws whatever `load` throws; nothing is kept then
   */
  read<Page>(request: PageRequest, load: () => Promise<LoadedPage<Page>>): Promise<Page>;
}

/**
 * Pages of lists in memory, the most recently used of them, bounded in bytes. Entities are not among what it keeps.
 *
 * The moment is noted before a load begins: a page whose source was touched while it was read is void from the start,
 * and a reader joins the load of another one only if nothing at all was touched since that began.
 */
export class ListCache implements Lists {
  readonly #freshness: Freshness;
  readonly #kept: LRUCache<string, Kept> | undefined;
  readonly #loads = new Map<string, Load>();

  /** @param bytes bound of all pages; 0 keeps none */
  constructor(freshness: Freshness, bytes: number) {
    this.#freshness = freshness;
    this.#kept = bytes > 0 ? new LRUCache({ maxSize: bytes, maxEntrySize: bytes }) : undefined;
  }

  async read<Page>(request: PageRequest, load: () => Promise<LoadedPage<Page>>): Promise<Page> {
    if (this.#kept === undefined || !this.#freshness.trusted()) return (await load()).page;
    const key = JSON.stringify(request.key);
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#holds(kept, request.now)) return kept.page as Page;
    const underWay = this.#loads.get(key);
    const began = this.#freshness.log.now();
    if (underWay?.began === began) return underWay.page as Promise<Page>;
    const page = this.#load(key, began, request, load);
    const own: Load = { began, page };
    this.#loads.set(key, own);
    try {
      return await page;
    } finally {
      if (this.#loads.get(key) === own) this.#loads.delete(key);
    }
  }

  #holds(kept: Kept, now: number): boolean {
    // A clock that was set back asks for an earlier state than the one that is kept.
    if (now >= kept.until || now < kept.from || this.#freshness.log.isTouchedSince(kept.holdsAt, kept.sources))
      return false;
    kept.holdsAt = this.#freshness.log.now();
    return true;
  }

  async #load<Page>(
    key: string,
    began: number,
    request: PageRequest,
    load: () => Promise<LoadedPage<Page>>,
  ): Promise<Page> {
    const loaded = await load();
    const sources = new Set([...request.sources, ...(loaded.sources ?? [])]);
    const until = loaded.until ?? Number.POSITIVE_INFINITY;
    const kept: Kept = { page: loaded.page, sources, from: request.now, until, holdsAt: began };
    const size = OVERHEAD + 2 * key.length + loaded.bytes + PER_SOURCE * sources.size;
    this.#kept?.set(key, kept, { size });
    return loaded.page;
  }
}
