import type { SiblingNews } from '../cache/sibling.js';
import type { PrimaryMessage } from './message.js';

/** A worker as the relay sees it. */
export interface Recipient {
  readonly id: number;
  tell(message: PrimaryMessage): void;
}

interface Unsettled {
  readonly waitingFor: Set<number>;
  readonly settle: () => void;
}

/** Passes the news of each worker on to all others, and tells it when all have taken them. */
export class Relay {
  readonly #members = new Map<number, Recipient>();
  readonly #unsettled = new Map<number, Unsettled>();
  #lastId = 0;

  join(worker: Recipient): void {
    this.#members.set(worker.id, worker);
  }

  /** Nobody waits for a worker that has ended. */
  leave(workerId: number): void {
    this.#members.delete(workerId);
    for (const id of this.#unsettled.keys()) this.taken(workerId, id);
  }

  pass(from: Recipient, id: number, news: SiblingNews): void {
    const others = [...this.#members.values()].filter((one) => one.id !== from.id);
    const settle = (): void => from.tell({ type: 'settled', id });
    if (others.length === 0) {
      settle();
      return;
    }
    const own = ++this.#lastId;
    this.#unsettled.set(own, { waitingFor: new Set(others.map((one) => one.id)), settle });
    for (const one of others) one.tell({ type: 'news', id: own, news });
  }

  taken(workerId: number, id: number): void {
    const open = this.#unsettled.get(id);
    if (!open?.waitingFor.delete(workerId) || open.waitingFor.size > 0) return;
    this.#unsettled.delete(id);
    open.settle();
  }
}
