import type { ServerResponse } from 'node:http';
import type { RequestConfig } from '../../config/request.js';
import { AppError } from '../../error.js';
import { Lane, Place } from './lane.js';
import { whenClosed } from './tracked-response.js';

/** How many requests may be in work and waiting. */
export type AdmissionLimits = Omit<RequestConfig, 'connections'>;

/** What the metrics show. */
export interface AdmissionLoad {
  readonly inWork: number;
  readonly waiting: number;
  /** Since the start. */
  readonly refused: number;
}

const TICK_MS = 500;
/** A request that has been in work for so long (0.5 to 1 s) waits for something, and gives its place to others. */
const LONG_TICKS = 2;
/** A request that has waited for so long is refused, because its client may not wait for the response. */
const MAX_WAIT_MS = 5_000;
/** A refusal takes 100 to 300 ms, so that clients that repeat requests at once do not use the processor for refusals. */
const REFUSAL_MS = 100;
const REFUSAL_SPREAD_MS = 200;

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
 * requests delays the others by little (docs/decisions/0049-overload.md).
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #isLongHeld: boolean;
  readonly #maxWaitTicks: number;
  readonly #refusedSome: (count: number) => void;
  /** Keys with requests, or with some since the last tick. */
  readonly #lanes = new Map<string, Lane>();
  /** Keys with waiting requests; the one whose turn is next comes first. */
  readonly #turns = new Set<Lane>();
  readonly #working = new Set<Place>();
  readonly #freed: Lane[] = [];
  readonly #timer: NodeJS.Timeout;
  #isScheduled = false;
  #inWork = 0;
  #waiting = 0;
  #delayedRefusals = 0;
  #refused = 0;
  #refusedAtTick = 0;
  #tick = 0;

  /**
   * @param options `isLongHeld`: requests keep their place however long they take; `maxWaitMs`: 5 s unless given;
   *   `refusedSome` is told twice a second how many requests were refused
   */
  constructor(
    limits: AdmissionLimits,
    options: {
      readonly isLongHeld?: boolean;
      readonly maxWaitMs?: number;
      readonly refusedSome?: (count: number) => void;
    } = {},
  ) {
    this.#limits = limits;
    this.#isLongHeld = options.isLongHeld ?? false;
    this.#maxWaitTicks = (options.maxWaitMs ?? MAX_WAIT_MS) / TICK_MS;
    this.#refusedSome = options.refusedSome ?? (() => undefined);
    this.#timer = setInterval(() => this.#onTick(), TICK_MS).unref();
  }

  get load(): AdmissionLoad {
    return { inWork: this.#inWork, waiting: this.#waiting, refused: this.#refused };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Calls `start` at once or in turn; with an error if the request is refused, and never if its client disconnects
   * before its turn. The request leaves its place when its response has ended and no handler works on it.
   * @param key requests with the same key share a queue
   */
  enter(
    key: string,
    request: { place: Place | null },
    response: ServerResponse,
    start: (refusal?: AppError) => void,
  ): void {
    const lane = this.#laneOf(key);
    lane.isActive = true;
    const place = new Place(lane, response, start, this.#leave);
    request.place = place;
    whenClosed(response, () => place.closed());
    if (lane.waiting.size === 0 && this.#hasRoom(lane)) this.#begin(place);
    else this.#wait(place);
  }

  #laneOf(key: string): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane();
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  /** A key may use all places only while it is alone. */
  #hasRoom(lane: Lane): boolean {
    const { inWork, inWorkPerKey, longPerKey } = this.#limits;
    const own = this.#lanes.size > 1 ? inWorkPerKey : inWork;
    return this.#inWork < inWork && lane.inWork < own && lane.long < longPerKey;
  }

  #begin(place: Place): void {
    place.state = 'working';
    place.since = this.#tick;
    place.lane.inWork++;
    this.#inWork++;
    this.#working.add(place);
    place.start();
  }

  #wait(place: Place): void {
    const { lane } = place;
    if (
      lane.waiting.size >= this.#limits.waitingPerKey ||
      (this.#waiting >= this.#limits.waiting && !this.#yield(lane))
    ) {
      this.#refuse(place);
      return;
    }
    place.state = 'waiting';
    place.since = this.#tick;
    lane.waiting.add(place);
    this.#waiting++;
    this.#turns.add(lane);
  }

  /** Refuses the oldest request of the longest queue. @returns false if that would not be fairer */
  #yield(lane: Lane): boolean {
    let longest = lane;
    for (const other of this.#turns) if (other.waiting.size > longest.waiting.size) longest = other;
    if (longest.waiting.size <= lane.waiting.size + 1) return false;
    this.#refuse(longest.first as Place);
    return true;
  }

  #unqueue(place: Place): void {
    const { lane } = place;
    lane.waiting.delete(place);
    this.#waiting--;
    if (lane.waiting.size === 0) this.#turns.delete(lane);
  }

  #refuse(place: Place): void {
    if (place.state === 'waiting') this.#unqueue(place);
    place.state = 'left';
    this.#refused++;
    if (this.#delayedRefusals >= this.#limits.waiting) {
      place.start(OVERLOADED);
      return;
    }
    this.#delayedRefusals++;
    setTimeout(
      () => {
        this.#delayedRefusals--;
        if (!place.isClosed) place.start(OVERLOADED);
      },
      REFUSAL_MS + Math.random() * REFUSAL_SPREAD_MS,
    );
  }

  readonly #leave = (place: Place): void => {
    const { lane, state } = place;
    if (state === 'left') return;
    place.state = 'left';
    if (state === 'waiting') {
      this.#unqueue(place);
      return;
    }
    this.#working.delete(place);
    if (state === 'long') {
      lane.long--;
      this.#scheduleTurns();
      return;
    }
    this.#freed.push(lane);
    this.#scheduleTurns();
  };

  /**
   * Places are free again at the end of the turn of the event loop. So one turn begins no more requests than there are
   * places, and the requests of other keys are read in between.
   */
  #scheduleTurns(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#inWork -= this.#freed.length;
      for (const lane of this.#freed) lane.inWork--;
      this.#freed.length = 0;
      if (this.#waiting > 0) this.#takeTurns();
    });
  }

  #takeTurns(): void {
    // A key that is added again comes last in this loop, too.
    for (const lane of this.#turns) {
      if (this.#inWork >= this.#limits.inWork) return;
      const place = lane.first;
      if (place === undefined || !this.#hasRoom(lane)) continue;
      this.#unqueue(place);
      if (this.#turns.delete(lane)) this.#turns.add(lane);
      if (place.isAbandoned) place.state = 'left';
      else this.#begin(place);
    }
  }

  #onTick(): void {
    this.#tick++;
    for (const place of this.#working) this.#check(place);
    for (const [key, lane] of this.#lanes) {
      for (let first = lane.first; first && this.#tick - first.since >= this.#maxWaitTicks; first = lane.first)
        this.#refuse(first);
      if (lane.isIdle) this.#lanes.delete(key);
      lane.isActive = false;
    }
    const refused = this.#refused - this.#refusedAtTick;
    this.#refusedAtTick = this.#refused;
    if (refused > 0) this.#refusedSome(refused);
    if (this.#waiting > 0) this.#takeTurns();
  }

  #check(place: Place): void {
    if (!place.isWorking && place.isAbandoned) this.#leave(place);
    else if (!this.#isLongHeld && place.state === 'working' && this.#tick - place.since >= LONG_TICKS) {
      place.state = 'long';
      place.lane.long++;
      place.lane.inWork--;
      this.#inWork--;
    }
  }
}
