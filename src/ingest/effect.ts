import type { Touched } from '../store/change.js';
import type { AccountCountDelta, CastCountDelta } from '../store/count.js';

/** Lists longer than this are not worth carrying: caches are emptied instead. */
const TOUCHED_LIMIT = 2_000;

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

const isZero = (delta: object): boolean =>
  Object.entries(delta).every(([name, n]) => !name.endsWith('_count') || n === 0);

/** What a batch does to counters and caches, added up while its messages are worked off. */
export class Effect {
  readonly #casts = new Map<string, CastCountDelta>();
  readonly #accounts = new Map<number, AccountCountDelta>();
  readonly #touchedCasts = new Map<string, Uint8Array>();
  readonly #touchedFids = new Set<number>();

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

  castCounts(): CastCountDelta[] {
    return Array.from(this.#casts.values()).filter((delta) => !isZero(delta));
  }

  accountCounts(): AccountCountDelta[] {
    return Array.from(this.#accounts.values()).filter((delta) => !isZero(delta));
  }

  touched(): Touched {
    for (const delta of this.castCounts()) this.touchCast(delta.hash);
    this.touchFids(this.accountCounts().map((delta) => delta.fid));
    const all = this.#touchedCasts.size + this.#touchedFids.size > TOUCHED_LIMIT;
    return all
      ? { fids: [], casts: [], all }
      : { fids: [...this.#touchedFids], casts: [...this.#touchedCasts.values()], all };
  }
}
