import type { SiblingBroadcast } from '../cache/sibling.js';
import type { PrimaryMessage } from './message.js';

/** A worker as the relay sees it. */
export interface Recipient {
  readonly id: number;
  /** Whether senders wait until it has applied their broadcasts. */
  readonly isAwaited: boolean;
  send(message: PrimaryMessage): void;
}

interface Pending {
  readonly waitingFor: Set<number>;
  readonly delivered: () => void;
}

/** Sends broadcasts of each worker to all others, and `delivered` to the sender when the awaited ones have applied it. */
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

  broadcast(from: Pick<Recipient, 'id' | 'send'>, id: number, content: SiblingBroadcast): void {
    const others = [...this.#members.values()].filter((one) => one.id !== from.id);
    const waitingFor = new Set(others.filter((one) => one.isAwaited).map((one) => one.id));
    const delivered = (): void => from.send({ type: 'delivered', id });
    const own = ++this.#lastId;
    if (waitingFor.size > 0) this.#pending.set(own, { waitingFor, delivered });
    for (const one of others) one.send({ type: 'broadcast', id: own, content });
    if (waitingFor.size === 0) delivered();
  }

  acknowledge(workerId: number, id: number): void {
    const open = this.#pending.get(id);
    if (!open?.waitingFor.delete(workerId) || open.waitingFor.size > 0) return;
    this.#pending.delete(id);
    open.delivered();
  }
}
