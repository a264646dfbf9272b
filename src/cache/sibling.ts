import type { Invalidation } from '../store/change.js';

/** What a process broadcasts to the others that serve the same clients. */
export interface SiblingBroadcast {
  readonly invalidation?: Invalidation;
  /** Protocol seconds of a message that was written with a date ahead of the clock. */
  readonly latest?: number;
}

/** Connection to the sibling processes: workers of one service, which share its port. */
export interface SiblingLink {
  /** Resolves when all awaited siblings have applied the broadcast, or after a quarter of a second. Never rejects. */
  send(content: SiblingBroadcast): Promise<void>;
  /** From now on, `listener` is called with the broadcasts of the siblings, which wait for it if `isAwaited`. */
  receive(listener: (content: SiblingBroadcast) => void, isAwaited: boolean): void;
}

/**
 * Broadcasts what was written here to the siblings before the response to the write is sent, so that its client reads the
 * write through each of them. Siblings that do not answer find it in the `change` table within a second.
 */
export class Siblings {
  readonly #link: SiblingLink | undefined;
  readonly #pending = new Set<Promise<void>>();

  /** @param link undefined: there are none */
  constructor(link: SiblingLink | undefined) {
    this.#link = link;
  }

  broadcast(content: SiblingBroadcast): void {
    if (this.#link === undefined) return;
    const sent = this.#link.send(content).finally(() => void this.#pending.delete(sent));
    this.#pending.add(sent);
  }

  /** Resolves when all awaited siblings have acknowledged every broadcast so far; undefined if none is pending. */
  delivered(): Promise<unknown> | undefined {
    return this.#pending.size === 0 ? undefined : Promise.all(this.#pending);
  }
}
