import type { Invalidation } from '../store/change.js';

/** What a process tells the others that serve the same clients. */
export interface SiblingNews {
  readonly invalidation?: Invalidation;
  /** Protocol seconds of a message that was written with a date ahead of the clock. */
  readonly latest?: number;
}

/** The way to the sibling processes: workers of one service, which share its port. */
export interface SiblingLink {
  /** Resolves when all siblings have taken the news, or when waiting longer is not worth it. Never rejects. */
  send(news: SiblingNews): Promise<void>;
  /** From now on, `take` is called with the news of the siblings. */
  receive(take: (news: SiblingNews) => void): void;
}

/**
 * Tells the siblings what was written here before the response to the write leaves, so that its client reads the write
 * through each of them. Siblings that do not answer find it in the `change` table within a second.
 */
export class Siblings {
  readonly #link: SiblingLink | undefined;
  readonly #unanswered = new Set<Promise<void>>();

  /** @param link undefined: there are none */
  constructor(link: SiblingLink | undefined) {
    this.#link = link;
  }

  tell(news: SiblingNews): void {
    if (this.#link === undefined) return;
    const sent = this.#link.send(news).finally(() => void this.#unanswered.delete(sent));
    this.#unanswered.add(sent);
  }

  /** @returns when all have what was told until now; undefined if they have it already */
  settled(): Promise<unknown> | undefined {
    return this.#unanswered.size === 0 ? undefined : Promise.all(this.#unanswered);
  }

  receive(take: (news: SiblingNews) => void): void {
    this.#link?.receive(take);
  }
}
