import type { Tag } from '../db/statement.js';
import { bareHex } from '../hex.js';
import { INVALIDATE_ALL, type Invalidation } from '../store/change.js';
import type { AccountCountDelta, CastCountDelta } from '../store/protocol/counter.js';
import { castCountsOfBytes, castOfBytes, countersOf, profileOf, signersOf } from '../store/tag.js';

/** Above this number of tags, all caches are emptied instead. A message has two to five. */
export const TAG_LIMIT = 7_000;

const isZeroCast = (delta: CastCountDelta): boolean =>
  delta.likeCount === 0 && delta.recastCount === 0 && delta.replyCount === 0 && delta.quoteCount === 0;

const isZeroAccount = (delta: AccountCountDelta): boolean =>
  delta.followerCount === 0 && delta.followingCount === 0 && delta.castCount === 0;

/** Collects what a batch changes in counters and cached data. */
export class BatchChanges {
  readonly #castCounts = new Map<string, CastCountDelta>();
  readonly #accountCounts = new Map<number, AccountCountDelta>();
  readonly #addressFids = new Set<number>();
  readonly #tags = new Set<Tag>();
  #isEverything = false;

  countCast(fid: number, hash: Uint8Array, counter: Exclude<keyof CastCountDelta, 'fid' | 'hash'>, by: number): void {
    const key = `${fid}:${bareHex(hash)}`;
    const zero = { fid, hash, likeCount: 0, recastCount: 0, replyCount: 0, quoteCount: 0 };
    const delta = this.#castCounts.get(key) ?? zero;
    delta[counter] += by;
    this.#castCounts.set(key, delta);
  }

  countAccount(fid: number, counter: Exclude<keyof AccountCountDelta, 'fid'>, by: number): void {
    const delta = this.#accountCounts.get(fid) ?? { fid, followerCount: 0, followingCount: 0, castCount: 0 };
    delta[counter] += by;
    this.#accountCounts.set(fid, delta);
  }

  /** @param tags of all changes except those of counters, which `invalidation` adds */
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

  /** @param fids accounts with a changed verification or a changed key of any type, since a key may change its type */
  addAddressChanges(fids: Iterable<number>): void {
    for (const fid of fids) this.#addressFids.add(fid);
  }

  invalidateCast(hash: Uint8Array): void {
    this.invalidate(castOfBytes(hash));
  }

  invalidateAll(): void {
    this.#isEverything = true;
  }

  /** Whether all caches will be emptied, so that further tags are not needed. */
  invalidatesAll(): boolean {
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

  /** @returns the tags of the whole batch; call it after all messages are processed */
  invalidation(): Invalidation {
    for (const { hash } of this.castCounts()) this.invalidate(castCountsOfBytes(hash));
    for (const { fid, followerCount, followingCount } of this.accountCounts()) {
      // The number of casts of an account is not shown.
      if (followerCount !== 0 || followingCount !== 0) this.invalidate(countersOf(fid));
    }
    return this.invalidatesAll() ? INVALIDATE_ALL : { tags: [...this.#tags], all: false };
  }
}
