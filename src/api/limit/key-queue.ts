import type { AppError } from '../../error.js';
import type { Closable } from './tracked-response.js';

/** A request that is running or queued. */
export class RequestSlot {
  /** `slow`: it has been running for so long that its slot was given to another request. */
  state: 'new' | 'queued' | 'running' | 'slow' | 'released' = 'new';
  /** Tick at which it entered its state. */
  since = 0;
  /** Whether a handler is running, which goes on after the client has disconnected. */
  isWorking = false;
  isClosed = false;
  readonly #release: (slot: RequestSlot) => void;

  /** @param start continues the request, or refuses it */
  constructor(
    readonly queue: KeyQueue,
    readonly response: Closable,
    readonly start: (refusal?: AppError) => void,
    release: (slot: RequestSlot) => void,
  ) {
    this.#release = release;
  }

  /** Whether the client has disconnected. The response of a pipelined request does not report that. */
  get isAbandoned(): boolean {
    return this.isClosed || this.response.req.socket?.destroyed === true;
  }

  /** The response has ended, or the client has disconnected. */
  closed(): void {
    this.isClosed = true;
    if (!this.isWorking) this.#release(this);
  }

  /** The handler has ended. */
  worked(): void {
    this.isWorking = false;
    if (this.isAbandoned) this.#release(this);
  }

  /** Gives the slot back before the response has ended. */
  leave(): void {
    this.#release(this);
  }
}

/** The requests of one key, or of one address without a key. */
export class KeyQueue {
  /** In the order of their arrival. */
  readonly waiting = new Set<RequestSlot>();
  inWork = 0;
  slow = 0;
  /** Whether a request came since the last tick. */
  isActive = true;

  constructor(readonly group: QueueGroup) {}

  get first(): RequestSlot | undefined {
    return this.waiting.values().next().value;
  }

  get isIdle(): boolean {
    return !this.isActive && this.inWork === 0 && this.slow === 0 && this.waiting.size === 0;
  }
}

/** Queues of one precedence, with the sums of their requests. */
export class QueueGroup {
  /** By key: those with requests, or with some since the last tick. */
  readonly queues = new Map<string, KeyQueue>();
  /** Those with waiting requests; the one whose turn is next comes first. */
  readonly roundRobin = new Set<KeyQueue>();
  waiting = 0;
  inWork = 0;
  slow = 0;
}
