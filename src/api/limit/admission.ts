import type { RequestConfig } from '../../config/request.js';
import { AppError } from '../../error.js';
import { KeyQueue, QueueGroup, RequestSlot } from './key-queue.js';
import { type Closable, whenClosed } from './tracked-response.js';

/** How many requests may be in work and waiting. */
export type AdmissionLimits = Omit<RequestConfig, 'connections'>;

/** What the metrics show. */
export interface AdmissionLoad {
  readonly inWork: number;
  readonly waiting: number;
  /** Since the start. */
  readonly refused: number;
  /** Those that gave their slots to others, because they take long. */
  readonly slow: number;
}

const TICK_MS = 500;
/** A request that has been in work for so long (0.5 to 1 s) waits for something, and gives its slot to others. */
const LONG_TICKS = 2;
/** A request that has waited for so long is refused, because its client may not wait for the response. */
const MAX_WAIT_MS = 5_000;
/**
 * What one address may hold of what all requests without a key have: slots that are kept, long requests, and places in the
 * queue. Its requests last as long as it likes, for it need not send their bodies, nor read their responses.
 */
const ADDRESS_SHARE = 1 / 8;
/**
 * Refusals are delayed by 100 to 300 ms. Without the delay, clients that repeat their requests at once would keep the
 * processor busy with refusals.
 */
const REFUSAL_DELAY_MS = 100;
const REFUSAL_JITTER_MS = 200;

/** One error for all: creating an error collects a stack, which costs more than the rest of a refusal. */
const OVERLOADED = new AppError(
  'unavailable',
  'Overloaded',
  'The service has more requests than it can answer. Try again shortly, with fewer requests at once.',
);

/** Whether an error is a refusal, of which there may be thousands a second. */
export const isRefusal = (error: unknown): boolean => error === OVERLOADED;

/**
 * Limits the requests in work. Others wait in a queue for each key, and the keys take turns, so that a key with many
 * requests delays the others by little (docs/decisions/0049-overload.md). Reads without a key come behind every key: all
 * of them together have what one key has, and begin only while no key waits.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #keepsSlots: boolean;
  readonly #maxWaitTicks: number;
  readonly #refusedSome: (count: number) => void;
  readonly #keys = new QueueGroup();
  readonly #keyless = new QueueGroup();
  readonly #working = new Set<RequestSlot>();
  readonly #freed: KeyQueue[] = [];
  readonly #timer: NodeJS.Timeout;
  #isScheduled = false;
  #delayedRefusals = 0;
  #refused = 0;
  #refusedAtTick = 0;
  #tick = 0;

  /**
   * @param options `keepsSlots`: requests keep their slots however long they take; `maxWaitMs`: 5 s unless given;
   *   `tickMs`: how often durations are looked at, twice a second unless given; `refusedSome` is called each time with how
   *   many requests were refused
   */
  constructor(
    limits: AdmissionLimits,
    options: {
      readonly keepsSlots?: boolean;
      readonly maxWaitMs?: number;
      readonly tickMs?: number;
      readonly refusedSome?: (count: number) => void;
    } = {},
  ) {
    this.#limits = limits;
    this.#keepsSlots = options.keepsSlots ?? false;
    const { tickMs = TICK_MS, maxWaitMs = MAX_WAIT_MS } = options;
    this.#maxWaitTicks = maxWaitMs / tickMs;
    this.#refusedSome = options.refusedSome ?? (() => undefined);
    this.#timer = setInterval(() => this.#onTick(), tickMs).unref();
  }

  get load(): AdmissionLoad {
    return {
      inWork: this.#inWork,
      waiting: this.#waiting,
      refused: this.#refused,
      slow: this.#keys.slow + this.#keyless.slow,
    };
  }

  get #inWork(): number {
    return this.#keys.inWork + this.#keyless.inWork;
  }

  get #waiting(): number {
    return this.#keys.waiting + this.#keyless.waiting;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Calls `start` at once or in turn; with an error if the request is refused, and never if its client disconnects
   * before its turn. The request leaves its slot when its response has ended and no handler works on it.
   * @param key requests with the same key share a queue
   * @param isKeyless whether it comes behind every key
   */
  enter(
    key: string,
    request: { slot: RequestSlot | null },
    response: Closable,
    start: (refusal?: AppError) => void,
    isKeyless = false,
  ): void {
    const queue = this.#queueOf(key, isKeyless ? this.#keyless : this.#keys);
    queue.isActive = true;
    const slot = new RequestSlot(queue, response, start, this.#leave);
    request.slot = slot;
    whenClosed(response, () => slot.closed());
    if (queue.waiting.size === 0 && this.#hasRoom(queue)) this.#begin(slot);
    else this.#wait(slot);
  }

  #queueOf(key: string, group: QueueGroup): KeyQueue {
    let queue = group.queues.get(key);
    if (queue === undefined) {
      queue = new KeyQueue(group);
      group.queues.set(key, queue);
    }
    return queue;
  }

  #hasRoom(queue: KeyQueue): boolean {
    if (this.#inWork >= this.#limits.inWork) return false;
    return queue.group === this.#keys ? this.#hasRoomOfKeys(queue) : this.#hasRoomWithoutKey(queue);
  }

  /** A key may use all slots only while it is alone. */
  #hasRoomOfKeys({ inWork, slow }: KeyQueue): boolean {
    const own = this.#keys.queues.size > 1 ? this.#limits.inWorkPerKey : this.#limits.inWork;
    return inWork < own && slow < this.#limits.longPerKey;
  }

  #hasRoomWithoutKey({ inWork, slow }: KeyQueue): boolean {
    const { inWorkPerKey, longPerKey } = this.#limits;
    // Where a slot is given back within a second, one address may have all of them.
    const own = this.#keepsSlots ? ADDRESS_SHARE * inWorkPerKey : inWorkPerKey;
    if (inWork >= own || slow >= ADDRESS_SHARE * longPerKey) return false;
    const { inWork: all, slow: allSlow } = this.#keyless;
    return this.#keys.waiting === 0 && all < inWorkPerKey && allSlow < longPerKey;
  }

  #begin(slot: RequestSlot): void {
    slot.state = 'running';
    slot.since = this.#tick;
    slot.queue.inWork++;
    slot.queue.group.inWork++;
    this.#working.add(slot);
    slot.start();
  }

  #wait(slot: RequestSlot): void {
    const { queue } = slot;
    const { waitingPerKey } = this.#limits;
    const isKeyless = queue.group === this.#keyless;
    if (
      queue.waiting.size >= (isKeyless ? ADDRESS_SHARE * waitingPerKey : waitingPerKey) ||
      (isKeyless && queue.group.waiting >= waitingPerKey) ||
      (this.#waiting >= this.#limits.waiting && !this.#evictFor(queue))
    ) {
      this.#refuse(slot);
      return;
    }
    slot.state = 'queued';
    slot.since = this.#tick;
    queue.waiting.add(slot);
    queue.group.waiting++;
    queue.group.roundRobin.add(queue);
  }

  /** Refuses the oldest request of the longest queue, without a key if there is one. @returns false if that would not be fairer */
  #evictFor(queue: KeyQueue): boolean {
    const [keyless] = this.#keyless.roundRobin;
    if (keyless !== undefined && queue.group === this.#keys) return this.#evictFromLongest(keyless);
    const longest = this.#longest(queue);
    return longest.waiting.size > queue.waiting.size + 1 && this.#evictFromLongest(longest);
  }

  #longest(queue: KeyQueue): KeyQueue {
    let longest = queue;
    for (const other of queue.group.roundRobin) if (other.waiting.size > longest.waiting.size) longest = other;
    return longest;
  }

  #evictFromLongest(queue: KeyQueue): true {
    this.#refuse(this.#longest(queue).first as RequestSlot);
    return true;
  }

  #unqueue(slot: RequestSlot): void {
    const { queue } = slot;
    queue.waiting.delete(slot);
    queue.group.waiting--;
    if (queue.waiting.size === 0) queue.group.roundRobin.delete(queue);
  }

  #refuse(slot: RequestSlot): void {
    if (slot.state === 'queued') this.#unqueue(slot);
    slot.state = 'released';
    this.#refused++;
    if (this.#delayedRefusals >= this.#limits.waiting) {
      slot.start(OVERLOADED);
      return;
    }
    this.#delayedRefusals++;
    setTimeout(
      () => {
        this.#delayedRefusals--;
        if (!slot.isClosed) slot.start(OVERLOADED);
      },
      REFUSAL_DELAY_MS + Math.random() * REFUSAL_JITTER_MS,
    );
  }

  readonly #leave = (slot: RequestSlot): void => {
    const { queue, state } = slot;
    if (state === 'released') return;
    slot.state = 'released';
    if (state === 'queued') {
      this.#unqueue(slot);
      return;
    }
    this.#working.delete(slot);
    if (state === 'slow') {
      queue.slow--;
      queue.group.slow--;
      this.#scheduleTurns();
      return;
    }
    this.#freed.push(queue);
    this.#scheduleTurns();
  };

  /**
   * Places are free again at the end of the turn of the event loop. So one turn begins no more requests than there are
   * slots, and the requests of other keys are read in between.
   */
  #scheduleTurns(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (const queue of this.#freed) {
        queue.inWork--;
        queue.group.inWork--;
      }
      this.#freed.length = 0;
      if (this.#waiting > 0) this.#takeTurns();
    });
  }

  #takeTurns(): void {
    this.#takeTurnsOf(this.#keys);
    this.#takeTurnsOf(this.#keyless);
  }

  #takeTurnsOf({ roundRobin }: QueueGroup): void {
    // A queue that is added again comes last in this loop, too.
    for (const queue of roundRobin) {
      if (this.#inWork >= this.#limits.inWork) return;
      const slot = queue.first;
      if (slot === undefined || !this.#hasRoom(queue)) continue;
      this.#unqueue(slot);
      if (roundRobin.delete(queue)) roundRobin.add(queue);
      if (slot.isAbandoned) slot.state = 'released';
      else this.#begin(slot);
    }
  }

  #onTick(): void {
    this.#tick++;
    for (const slot of this.#working) this.#check(slot);
    for (const group of [this.#keys, this.#keyless]) this.#tickQueues(group);
    const refused = this.#refused - this.#refusedAtTick;
    this.#refusedAtTick = this.#refused;
    if (refused > 0) this.#refusedSome(refused);
    if (this.#waiting > 0) this.#takeTurns();
  }

  #tickQueues({ queues }: QueueGroup): void {
    for (const [key, queue] of queues) {
      for (let first = queue.first; first && this.#tick - first.since >= this.#maxWaitTicks; first = queue.first)
        this.#refuse(first);
      if (queue.isIdle) queues.delete(key);
      queue.isActive = false;
    }
  }

  #check(slot: RequestSlot): void {
    if (!slot.isWorking && slot.isAbandoned) this.#leave(slot);
    else if (!this.#keepsSlots && slot.state === 'running' && this.#tick - slot.since >= LONG_TICKS) {
      slot.state = 'slow';
      slot.queue.slow++;
      slot.queue.group.slow++;
      slot.queue.inWork--;
      slot.queue.group.inWork--;
    }
  }
}
