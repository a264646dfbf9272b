import { equalBytes } from '../bytes.js';
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

/** A link that came or went with another message: it was neither offered itself, nor replaced by what was. */
export interface LinkChange {
  readonly link: StoredMessage;
  readonly isActive: boolean;
}

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
  #linkChanges: LinkChange[] = [];

  /** @param rows every stored row that conflicts with a candidate of the batch, or whose state depends on one */
  constructor(rows: readonly StoredMessage[]) {
    for (const row of rows) {
      const key = conflictKeyOf(row);
      this.#before.set(key, row);
      this.#put(key, row);
    }
    this.#changed.clear();
  }

  /**
   * Merges one message; the final state does not depend on the order.
   * @param isNext whether it replaces the stored one, whatever the conflict rules say
   * @param keepsVoid whether a link is stored that the account's compact state does not list, for a state to come. Not
   *   one that was submitted here, unless it replaces another: it is refused, and hubs do not store it either.
   */
  merge(candidate: StoredMessage, { isNext = false, keepsVoid = true } = {}): MergeOutcome {
    const key = conflictKeyOf(candidate);
    const current = this.#now.get(key);
    if (current) {
      if (equalBytes(current.hash, candidate.hash)) return { status: 'known' };
      if (!isNext && !supersedes(conflictCandidateOf(candidate), conflictCandidateOf(current)))
        return { status: 'superseded' };
    }
    const replaced = current && !current.void ? [current] : [];
    if (candidate.messageSet === MessageSet.link) {
      const marked = this.#withVoidFlag(candidate);
      if (marked.void && !keepsVoid && current === undefined) return { status: 'superseded' };
      this.#put(key, marked);
      if (!marked.void) return { status: 'merged', replaced };
      this.#linkChanges.push(...replaced.map((link) => ({ link, isActive: false })));
      return { status: 'superseded' };
    }
    this.#put(key, candidate);
    if (candidate.messageSet !== MessageSet.linkCompactState) return { status: 'merged', replaced };
    return { status: 'merged', replaced: [...replaced, ...this.#reviewLinks(candidate)] };
  }

  /** @returns the message with this conflict key, as it is now */
  get(key: Pick<StoredMessage, 'fid' | 'messageSet' | 'key'>): StoredMessage | undefined {
    return this.#now.get(conflictKeyOf(key));
  }

  /** Removes a message whose key was revoked. @returns false if it is not stored, or signed with another key since */
  revoke(message: StoredMessage): boolean {
    const current = this.#now.get(conflictKeyOf(message));
    return current !== undefined && equalBytes(current.signer, message.signer) && this.remove(message);
  }

  /** Removes exactly this message, whichever key signed it. @returns false if it is not the stored one */
  remove(message: StoredMessage): boolean {
    const key = conflictKeyOf(message);
    const current = this.#now.get(key);
    if (!current || !equalBytes(current.hash, message.hash)) return false;
    this.#now.delete(key);
    this.#changed.add(key);
    this.#links.get(message.fid)?.delete(key);
    if (message.messageSet === MessageSet.linkCompactState) this.#reviewLinks(message);
    return true;
  }

  /** @returns whether exactly this message is the one of its conflict key */
  isCurrent(message: StoredMessage): boolean {
    const current = this.#now.get(conflictKeyOf(message));
    return current !== undefined && equalBytes(current.hash, message.hash);
  }

  /** @returns the links that came or went with other messages since the last call, in order */
  takeLinkChanges(): readonly LinkChange[] {
    const changes = this.#linkChanges;
    this.#linkChanges = [];
    return changes;
  }

  /** @returns the conflict keys that changed */
  transitions(): Transition[] {
    const result: Transition[] = [];
    for (const key of this.#changed) {
      const before = this.#before.get(key);
      const after = this.#now.get(key);
      if (before !== after) result.push({ before, after });
    }
    return result;
  }

  #put(key: string, message: StoredMessage): void {
    this.#now.set(key, message);
    this.#changed.add(key);
    if (message.messageSet !== MessageSet.link) return;
    const keys = this.#links.get(message.fid) ?? new Set();
    keys.add(key);
    this.#links.set(message.fid, keys);
  }

  #compactState(fid: number, linkType: string): StoredMessage | undefined {
    return this.#now.get(
      conflictKeyOf({ fid, messageSet: MessageSet.linkCompactState, key: Buffer.from(linkType, 'utf8') }),
    );
  }

  #withVoidFlag(link: StoredMessage): StoredMessage {
    const state = this.#compactState(link.fid, linkTypeOf(link));
    const isVoid = state !== undefined && !isInCompactState(decodedOf(state), decodedOf(link));
    return isVoid === link.void ? link : { ...link, void: isVoid };
  }

  /** @returns the links that became void, removals, too: hubs delete both */
  #reviewLinks(state: StoredMessage): StoredMessage[] {
    const linkType = linkTypeOf(state);
    const voided: StoredMessage[] = [];
    for (const key of this.#links.get(state.fid) ?? []) {
      const link = this.#now.get(key) as StoredMessage;
      if (linkTypeOf(link) !== linkType) continue;
      const marked = this.#withVoidFlag(link);
      if (marked === link) continue;
      this.#put(key, marked);
      if (marked.void) voided.push(link);
      else this.#linkChanges.push({ link: marked, isActive: true });
    }
    return voided;
  }
}
