import { MessageType } from '@farcaster/core';
import { beats, compactStateKeeps, MessageSet } from '../protocol/conflict.js';
import { contenderOf, decodedOf, type Held, linkTypeOf, placeOf } from './stored-message.js';

/** What a place held when the batch began and what it holds at its end. */
export interface Transition {
  readonly before: Held | undefined;
  readonly after: Held | undefined;
}

export type MergeOutcome =
  | { readonly status: 'merged'; readonly replaced: readonly Held[] }
  | { readonly status: 'known' | 'superseded' };

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * The replicated sets of the accounts in a batch, in memory: the rows that were stored, and on top of them what the
 * batch makes of them. Decides by the pure rules of `protocol/conflict.ts` only.
 */
export class MergeState {
  readonly #before = new Map<string, Held>();
  readonly #now = new Map<string, Held>();
  readonly #changed = new Set<string>();
  /** Places of links by fid, to ask them all again when a compact state changes. */
  readonly #links = new Map<number, Set<string>>();

  /** @param rows every stored row that a candidate of the batch competes with, or whose standing it decides */
  constructor(rows: readonly Held[]) {
    for (const row of rows) {
      const place = placeOf(row);
      this.#before.set(place, row);
      this.#put(place, row);
    }
    this.#changed.clear();
  }

  /** Offers one message; the state afterwards does not depend on the order of the offers. */
  merge(candidate: Held): MergeOutcome {
    const place = placeOf(candidate);
    const holder = this.#now.get(place);
    if (holder) {
      if (same(holder.hash, candidate.hash)) return { status: 'known' };
      if (!beats(contenderOf(candidate), contenderOf(holder))) return { status: 'superseded' };
    }
    const replaced = holder && !holder.void ? [holder] : [];
    if (candidate.message_set === MessageSet.link) {
      const standing = this.#standing(candidate);
      this.#put(place, standing);
      return standing.void ? { status: 'superseded' } : { status: 'merged', replaced };
    }
    this.#put(place, candidate);
    if (candidate.message_set !== MessageSet.linkCompactState) return { status: 'merged', replaced };
    return { status: 'merged', replaced: [...replaced, ...this.#reviewLinks(candidate)] };
  }

  /** Takes exactly this message away. @returns false when it does not hold its place. */
  remove(message: Held): boolean {
    const place = placeOf(message);
    const holder = this.#now.get(place);
    if (!holder || !same(holder.hash, message.hash)) return false;
    this.#now.delete(place);
    this.#changed.add(place);
    this.#links.get(message.fid)?.delete(place);
    if (message.message_set === MessageSet.linkCompactState) this.#reviewLinks(message);
    return true;
  }

  /** @returns what really changed, place by place. */
  transitions(): Transition[] {
    const result: Transition[] = [];
    for (const place of this.#changed) {
      const before = this.#before.get(place);
      const after = this.#now.get(place);
      if (before !== after) result.push({ before, after });
    }
    return result;
  }

  #put(place: string, held: Held): void {
    this.#now.set(place, held);
    this.#changed.add(place);
    if (held.message_set !== MessageSet.link) return;
    const places = this.#links.get(held.fid) ?? new Set();
    places.add(place);
    this.#links.set(held.fid, places);
  }

  #compactState(fid: number, linkType: string): Held | undefined {
    return this.#now.get(
      placeOf({ fid, message_set: MessageSet.linkCompactState, key: Buffer.from(linkType, 'utf8') }),
    );
  }

  #standing(link: Held): Held {
    const state = this.#compactState(link.fid, linkTypeOf(link));
    const isVoid = state !== undefined && !compactStateKeeps(decodedOf(state), decodedOf(link));
    return isVoid === link.void ? link : { ...link, void: isVoid };
  }

  /** @returns the links that stood and no longer do. */
  #reviewLinks(state: Held): Held[] {
    const linkType = linkTypeOf(state);
    const fallen: Held[] = [];
    for (const place of this.#links.get(state.fid) ?? []) {
      const link = this.#now.get(place) as Held;
      if (linkTypeOf(link) !== linkType) continue;
      const standing = this.#standing(link);
      if (standing === link) continue;
      this.#put(place, standing);
      if (standing.void && link.type === MessageType.LINK_ADD) fallen.push(link);
    }
    return fallen;
  }
}
