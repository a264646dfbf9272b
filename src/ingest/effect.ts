import { EVERYTHING_TOUCHED, type Touched } from '../store/change.js';
import type { AccountCountDelta, CastCountDelta } from '../store/count.js';
import type { ListSource } from '../store/list-source.js';

/** Lists longer than these are not worth carrying: caches are emptied instead. A message is found by two to four. */
const ENTITY_LIMIT = 2_000;
/** Of what lists are made from. */
export const LIST_LIMIT = 5_000;

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

const isZeroCast = (delta: CastCountDelta): boolean =>
  delta.like_count === 0 && delta.recast_count === 0 && delta.reply_count === 0 && delta.quote_count === 0;

const isZeroAccount = (delta: AccountCountDelta): boolean =>
  delta.follower_count === 0 && delta.following_count === 0 && delta.cast_count === 0;

/** What a batch does to counters and caches, added up while its messages are worked off. */
export class Effect {
  readonly #casts = new Map<string, CastCountDelta>();
  readonly #accounts = new Map<number, AccountCountDelta>();
  readonly #touchedCasts = new Map<string, Uint8Array>();
  readonly #touchedFids = new Set<number>();
  readonly #touchedLists = new Set<ListSource>();
  readonly #addressFids = new Set<number>();
  #isEverything = false;

  countCast(fid: number, hash: Uint8Array, counter: Exclude<keyof CastCountDelta, 'fid' | 'hash'>, by: number): void {
    const key = `${fid}:${hex(hash)}`;
    const delta = this.#casts.get(key) ?? { fid, hash, like_count: 0, recast_count: 0, reply_count: 0, quote_count: 0 };
    delta[counter] += by;
    this.#casts.set(key, delta);
  }

  countAccount(fid: number, counter: Exclude<keyof AccountCountDelta, 'fid'>, by: number): void {
    const delta = this.#accounts.get(fid) ?? { fid, follower_count: 0, following_count: 0, cast_count: 0 };
    delta[counter] += by;
    this.#accounts.set(fid, delta);
  }

  touchCast(hash: Uint8Array): void {
    this.#touchedCasts.set(hex(hash), hash);
  }

  touchFids(fids: Iterable<number>): void {
    for (const fid of fids) this.#touchedFids.add(fid);
  }

  /** @param fids accounts of which a verification or a key changed, of whatever type: a key may change its type, too */
  addAddressChanges(fids: Iterable<number>): void {
    for (const fid of fids) this.#addressFids.add(fid);
  }

  /** @param sources what lists are made from (`src/store/list-source.ts`), as far as it changed */
  touchLists(...sources: readonly ListSource[]): void {
    for (const source of sources) {
      if (this.#touchedLists.size <= LIST_LIMIT) this.#touchedLists.add(source);
    }
  }

  touchEverything(): void {
    this.#isEverything = true;
  }

  /** Whether caches are emptied anyway, so that it is no use to find out more of what they hold. */
  isTooLong(): boolean {
    const entities = this.#touchedCasts.size + this.#touchedFids.size;
    return this.#isEverything || entities > ENTITY_LIMIT || this.#touchedLists.size > LIST_LIMIT;
  }

  castCounts(): CastCountDelta[] {
    return Array.from(this.#casts.values()).filter((delta) => !isZeroCast(delta));
  }

  accountCounts(): AccountCountDelta[] {
    return Array.from(this.#accounts.values()).filter((delta) => !isZeroAccount(delta));
  }

  addressFids(): number[] {
    return [...this.#addressFids];
  }

  touched(): Touched {
    for (const delta of this.castCounts()) this.touchCast(delta.hash);
    this.touchFids(this.accountCounts().map((delta) => delta.fid));
    if (this.isTooLong()) return EVERYTHING_TOUCHED;
    return {
      fids: [...this.#touchedFids],
      casts: [...this.#touchedCasts.values()],
      lists: [...this.#touchedLists],
      all: false,
    };
  }
}
