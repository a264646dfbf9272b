import { LRUCache } from 'lru-cache';
import { toUnixMs } from '../protocol/time.js';
import type { Dialect } from '../schema/wire-names.js';
import type { ListSource } from '../store/list-source.js';
import { Basis } from './basis.js';
import type { Freshness } from './freshness.js';
import { inOf, keepIn, type PerDialect, perDialect } from './per-dialect.js';

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

/** Something in memory, and how long it is right. */
interface Lasting {
  readonly sources: ReadonlySet<ListSource> | Float64Array;
  /** Unix milliseconds. */
  readonly from: number;
  readonly until: number;
  /** Moment of the touch log up to which none of the sources was touched. */
  holdsAt: number;
}

interface KeptAnswer extends Lasting {
  readonly sources: Float64Array;
  readonly bytes: Buffer;
}

interface Kept extends Lasting {
  readonly page: unknown;
  /** Bytes of the page without its answers. */
  readonly size: number;
  /** What was written of it, beside what the page itself was made from. */
  readonly answers: PerDialect<KeptAnswer>;
}

export interface AnswerRequest extends PageRequest {
  readonly dialect: Dialect;
}

interface Load {
  readonly began: number;
  readonly page: Promise<unknown>;
}

/** Bytes about: of a place in the cache, of one source. */
const OVERHEAD = 800;
const PER_SOURCE = 40;
/** Of an answer beside its bytes, and of one of its sources. */
const ANSWER_OVERHEAD = 600;
const PER_ANSWER_SOURCE = 8;

/** What lists are read through. */
export interface Lists {
  /**
   * @param load reads the page from the store. What it read must be named: a page is kept until one of its sources is
   *   touched. Without a cache, and while changes may have been missed, it is called each time.
   * @throws whatever `load` throws; nothing is kept then
   */
  read<Page>(request: PageRequest, load: () => Promise<LoadedPage<Page>>): Promise<Page>;
  /**
   * The same for the bytes that are sent: a page that is asked for a second time keeps its answer, until anything in it
   * changes.
   * @param write writes the page down; everything that it reads besides must be noted in the basis, if there is one
   * @throws whatever the two throw; nothing is kept then
   */
  answer<Page>(
    request: AnswerRequest,
    load: () => Promise<LoadedPage<Page>>,
    write: (page: Page, basis: Basis | undefined) => Promise<Buffer>,
  ): Promise<Buffer>;
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
    if (!this.#isUsable()) return (await load()).page;
    const key = JSON.stringify(request.key);
    return (this.#holding(key, request.now)?.page as Page | undefined) ?? this.#readAnew(key, request, load);
  }

  async answer<Page>(
    request: AnswerRequest,
    load: () => Promise<LoadedPage<Page>>,
    write: (page: Page, basis: Basis | undefined) => Promise<Buffer>,
  ): Promise<Buffer> {
    if (!this.#isUsable()) return write((await load()).page, undefined);
    const key = JSON.stringify(request.key);
    const kept = this.#holding(key, request.now);
    // Most pages are asked for once; their answers would push out what is asked for again.
    if (kept === undefined) return write(await this.#readAnew(key, request, load), undefined);
    const answer = inOf(kept.answers, request.dialect);
    if (answer !== undefined && this.#holds(answer, request.now)) return answer.bytes;
    const began = this.#freshness.log.now();
    const basis = new Basis();
    const bytes = await write(kept.page as Page, basis);
    this.#keepAnswer(key, kept, request, { bytes, basis, began });
    return bytes;
  }

  #isUsable(): boolean {
    return this.#kept !== undefined && this.#freshness.trusted();
  }

  #holding(key: string, now: number): Kept | undefined {
    const kept = this.#kept?.get(key);
    return kept !== undefined && this.#holds(kept, now) ? kept : undefined;
  }

  #holds(lasting: Lasting, now: number): boolean {
    // A clock that was set back asks for an earlier state than the one that is kept.
    if (now >= lasting.until || now < lasting.from) return false;
    if (this.#freshness.log.isTouchedSince(lasting.holdsAt, lasting.sources)) return false;
    lasting.holdsAt = this.#freshness.log.now();
    return true;
  }

  async #readAnew<Page>(key: string, request: PageRequest, load: () => Promise<LoadedPage<Page>>): Promise<Page> {
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

  async #load<Page>(
    key: string,
    began: number,
    request: PageRequest,
    load: () => Promise<LoadedPage<Page>>,
  ): Promise<Page> {
    const loaded = await load();
    const sources = new Set([...request.sources, ...(loaded.sources ?? [])]);
    const until = loaded.until ?? Number.POSITIVE_INFINITY;
    const size = OVERHEAD + 2 * key.length + loaded.bytes + PER_SOURCE * sources.size;
    const answers = perDialect<KeptAnswer>();
    const kept: Kept = { page: loaded.page, size, answers, sources, from: request.now, until, holdsAt: began };
    this.#kept?.set(key, kept, { size });
    return loaded.page;
  }

  /** Beside the page that it was written from, where that is still the one that is kept. */
  #keepAnswer(
    key: string,
    kept: Kept,
    { now, dialect }: AnswerRequest,
    { bytes, basis, began }: { readonly bytes: Buffer; readonly basis: Basis; readonly began: number },
  ): void {
    const current = this.#kept?.peek(key);
    if (current === undefined || current.page !== kept.page) return;
    // Of memory of its own: what was written is part of a slab that other pages get.
    const copy = Buffer.allocUnsafeSlow(bytes.length);
    copy.set(bytes);
    const answer: KeptAnswer = { bytes: copy, sources: basis.sources, from: now, until: basis.until, holdsAt: began };
    const answers = { ...current.answers };
    keepIn(answers, dialect, answer);
    const size = current.size + weigh(answers.neutral) + weigh(answers.ecosystem);
    // Always another object: the list takes another size only with another value.
    this.#kept?.set(key, { ...current, answers }, { size });
  }
}

const weigh = (answer: KeptAnswer | undefined): number =>
  answer === undefined ? 0 : ANSWER_OVERHEAD + answer.bytes.length + PER_ANSWER_SOURCE * answer.sources.length;
