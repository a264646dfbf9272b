import { EVERYTHING, type Invalidation } from '../store/change.js';
import type { AccountCountDelta, CastCountDelta } from '../store/protocol/counter.js';
import { castCountsOfBytes, castOfBytes, countersOf, profileOf, signersOf, type Tag } from '../store/tag.js';

/** More tags than these are not worth carrying: caches are emptied instead. A message names two to five. */
export const TAG_LIMIT = 7_000;

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

const isZeroCast = (delta: CastCountDelta): boolean =>
  delta.like_count === 0 && delta.recast_count === 0 && delta.reply_count === 0 && delta.quote_count === 0;

const isZeroAccount = (delta: AccountCountDelta): boolean =>
  delta.follower_count === 0 && delta.following_count === 0 && delta.cast_count === 0;

/** What a batch does to counters and to what is cached, added up while its messages are worked off. */
export class BatchChanges {
  readonly #castCounts = new Map<string, CastCountDelta>();
  readonly #accountCounts = new Map<number, AccountCountDelta>();
  readonly #addressFids = new Set<number>();
  readonly #tags = new Set<Tag>();
  #isEverything = false;

  countCast(fid: number, hash: Uint8Array, counter: Exclude<keyof CastCountDelta, 'fid' | 'hash'>, by: number): void {
    const key = `${fid}:${hex(hash)}`;
    const zero = { fid, hash, like_count: 0, recast_count: 0, reply_count: 0, quote_count: 0 };
    const delta = this.#castCounts.get(key) ?? zero;
    delta[counter] += by;
    this.#castCounts.set(key, delta);
  }

  countAccount(fid: number, counter: Exclude<keyof AccountCountDelta, 'fid'>, by: number): void {
    const delta = this.#accountCounts.get(fid) ?? { fid, follower_count: 0, following_count: 0, cast_count: 0 };
    delta[counter] += by;
    this.#accountCounts.set(fid, delta);
  }

  /** @param tags of what changed, except counters: `invalidation` adds the tags of those */
  invalidate(...tags: readonly Tag[]): void {
    for (const tag of tags) {
      if (this.#tags.size > TAG_LIMIT) return;
      this.#tags.add(tag);
    }
  }

  invalidateProfiles(fids: Iterable<number>): void {
    for (const fid of fids) this.invalidate(profileOf(fid));
  }

  invalidateSigners(fids: Iterable<number>): void {
    for (const fid of fids) this.invalidate(signersOf(fid));
  }

  /** @param fids accounts of which a verification or a key changed, of whatever type: a key may change its type, too */
  addAddressChanges(fids: Iterable<number>): void {
    for (const fid of fids) this.#addressFids.add(fid);
  }

  invalidateCast(hash: Uint8Array): void {
    this.invalidate(castOfBytes(hash));
  }

  invalidateAll(): void {
    this.#isEverything = true;
  }

  /** Whether caches are emptied anyway, so that it is no use to find out more of what they hold. */
  isTooLong(): boolean {
    return this.#isEverything || this.#tags.size > TAG_LIMIT;
  }

  castCounts(): CastCountDelta[] {
    return Array.from(this.#castCounts.values()).filter((delta) => !isZeroCast(delta));
  }

  accountCounts(): AccountCountDelta[] {
    return Array.from(this.#accountCounts.values()).filter((delta) => !isZeroAccount(delta));
  }

  addressFids(): number[] {
    return [...this.#addressFids];
  }

  /** @returns what caches must be told of the whole batch, once all of it is worked off */
  invalidation(): Invalidation {
    for (const { hash } of this.castCounts()) this.invalidate(castCountsOfBytes(hash));
    for (const { fid, follower_count, following_count } of this.accountCounts()) {
      // How many casts an account wrote is not shown.
      if (follower_count !== 0 || following_count !== 0) this.invalidate(countersOf(fid));
    }
    return this.isTooLong() ? EVERYTHING : { tags: [...this.#tags], all: false };
  }
}
