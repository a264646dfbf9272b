import { MessageType } from '@farcaster/core';
import { isInCompactState, MessageSet, supersedes } from '../protocol/conflict.js';
import { conflictCandidateOf, conflictKeyOf, decodedOf, linkTypeOf, type StoredMessage } from './stored-message.js';

/** The message of a conflict key before and after the batch. */
export interface Transition {
  readonly before: StoredMessage | undefined;
  readonly after: StoredMessage | undefined;
}

export type MergeOutcome =
  | { readonly status: 'merged'; readonly replaced: readonly StoredMessage[] }
  | { readonly status: 'known' | 'superseded' };

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * The message sets of a batch in memory: stored rows, and the changes of the batch. Decides only by the rules of
 * `protocol/conflict.ts`.
 */
export class MergeState {
  readonly #before = new Map<string, StoredMessage>();
  readonly #now = new Map<string, StoredMessage>();
  readonly #changed = new Set<string>();
  /** Conflict keys of links by fid, to re-evaluate all of them when a compact state changes. */
  readonly #links = new Map<number, Set<string>>();

  /** @param rows every stored row that conflicts with a candidate of the batch, or is decided by one */
  constructor(rows: readonly StoredMessage[]) {
    for (const row of rows) {
      const place = conflictKeyOf(row);
      this.#before.set(place, row);
      this.#put(place, row);
    }
    this.#changed.clear();
  }

  /** Merges one message; the final state does not depend on the order. */
  merge(candidate: StoredMessage): MergeOutcome {
    const place = conflictKeyOf(candidate);
    const holder = this.#now.get(place);
    if (holder) {
      if (same(holder.hash, candidate.hash)) return { status: 'known' };
      if (!supersedes(conflictCandidateOf(candidate), conflictCandidateOf(holder))) return { status: 'superseded' };
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

  /** Removes exactly this message. @returns false if it is not the stored one */
  remove(message: StoredMessage): boolean {
    const place = conflictKeyOf(message);
    const holder = this.#now.get(place);
    if (!holder || !same(holder.hash, message.hash)) return false;
    this.#now.delete(place);
    this.#changed.add(place);
    this.#links.get(message.fid)?.delete(place);
    if (message.message_set === MessageSet.linkCompactState) this.#reviewLinks(message);
    return true;
  }

  /** @returns the conflict keys that changed */
  transitions(): Transition[] {
    const result: Transition[] = [];
    for (const place of this.#changed) {
      const before = this.#before.get(place);
      const after = this.#now.get(place);
      if (before !== after) result.push({ before, after });
    }
    return result;
  }

  #put(place: string, held: StoredMessage): void {
    this.#now.set(place, held);
    this.#changed.add(place);
    if (held.message_set !== MessageSet.link) return;
    const places = this.#links.get(held.fid) ?? new Set();
    places.add(place);
    this.#links.set(held.fid, places);
  }

  #compactState(fid: number, linkType: string): StoredMessage | undefined {
    return this.#now.get(
      conflictKeyOf({ fid, message_set: MessageSet.linkCompactState, key: Buffer.from(linkType, 'utf8') }),
    );
  }

  #standing(link: StoredMessage): StoredMessage {
    const state = this.#compactState(link.fid, linkTypeOf(link));
    const isVoid = state !== undefined && !isInCompactState(decodedOf(state), decodedOf(link));
    return isVoid === link.void ? link : { ...link, void: isVoid };
  }

  /** @returns the links that became void */
  #reviewLinks(state: StoredMessage): StoredMessage[] {
    const linkType = linkTypeOf(state);
    const fallen: StoredMessage[] = [];
    for (const place of this.#links.get(state.fid) ?? []) {
      const link = this.#now.get(place) as StoredMessage;
      if (linkTypeOf(link) !== linkType) continue;
      const standing = this.#standing(link);
      if (standing === link) continue;
      this.#put(place, standing);
      if (standing.void && link.type === MessageType.LINK_ADD) fallen.push(link);
    }
    return fallen;
  }
}
