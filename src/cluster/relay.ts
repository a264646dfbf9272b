import type { SiblingBroadcast } from '../cache/sibling.js';
import type { PrimaryMessage } from './message.js';

/** A worker as the relay sees it. */
export interface Recipient {
  readonly id: number;
  send(message: PrimaryMessage): void;
}

interface Pending {
  readonly waitingFor: Set<number>;
  readonly delivered: () => void;
}

/** Sends the broadcasts of each worker to all others, and tells the sender when all have applied them. */
export class Relay {
  readonly #members = new Map<number, Recipient>();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  join(worker: Recipient): void {
    this.#members.set(worker.id, worker);
  }

  /** Nobody waits for a worker that has ended. */
  leave(workerId: number): void {
    this.#members.delete(workerId);
    for (const id of this.#pending.keys()) this.acknowledge(workerId, id);
  }

  broadcast(from: Recipient, id: number, content: SiblingBroadcast): void {
    const others = [...this.#members.values()].filter((one) => one.id !== from.id);
    const delivered = (): void => from.send({ type: 'delivered', id });
    if (others.length === 0) {
      delivered();
      return;
    }
    const own = ++this.#lastId;
    this.#pending.set(own, { waitingFor: new Set(others.map((one) => one.id)), delivered });
    for (const one of others) one.send({ type: 'broadcast', id: own, content });
  }

  acknowledge(workerId: number, id: number): void {
    const open = this.#pending.get(id);
    if (!open?.waitingFor.delete(workerId) || open.waitingFor.size > 0) return;
    this.#pending.delete(id);
    open.delivered();
  }
}
