import { blockOf, blockStart } from '../../protocol/event/place.js';

/** Position of an event relative to those before it. */
export type Step =
  /** next in order */
  | 'next'
  /** seen before */
  | 'repeat'
  /** the hub no longer has the events after the position at which reading began, or its log is another one */
  | 'start-gap'
  /** heights are missing before this event */
  | 'height-gap'
  /** the block before this event had more events than were seen */
  | 'count-gap';

/**
 * Follows the event ids of one shard and detects gaps. Hubs confirm each block, also an empty one, with an event at its
 * first position. It needs no stored state: after a restart, reading begins at the
 * start of the block where it stopped.
 *
 * A live stream can miss events because a hub reads its log to the end before it adds a subscriber to the live events,
 * and drops live events of a slow subscriber (snapchain, `subscribe` in `server.rs`, `commit_and_emit_events` in `engine.rs`).
 */
export class HubSequence {
  /** Received ids of the current block. */
  readonly #seen = new Set<number>();
  #height: number;
  /** Number of events of the current block, if its confirmation was received. */
  #expected: number | undefined;
  #confirms = false;
  #checksCounts = true;
  /** Newest id that was accepted. */
  #last: number;
  /** Id of the first event that the hub has, as far as it said so. */
  #first = 0;
  /** True from a (re)connect to the first event, which shows whether the hub still has the log from our block on. */
  #rejoining: boolean;
  #hasStarted: boolean;
  /** The log of the hub ended before the position, so it may be another log. */
  #isBehind = false;
  /** Farcaster time of the current block, the same in all hubs of a network; undefined before its first event. */
  #time: number | undefined;

  /**
   * @param position id of the last event
   * @param isStored whether that event, and all before it, were stored: only then can events be missing
   */
  constructor(position: number, isStored: boolean) {
    this.#height = blockOf(position);
    this.#last = position;
    this.#hasStarted = isStored;
    this.#rejoining = isStored;
  }

  /** Id to subscribe from: the whole current block is read again, as far as the hub has it. */
  get fromId(): number {
    return Math.max(blockStart(this.#height), this.#first);
  }

  /**
   * Goes on from the first event that the hub has, because it does not have those that were asked for.
   * @returns whether events are missing: they were deleted before they were read, or the log is another one
   */
  resumeAt(first: number): boolean {
    const isOther = first <= this.fromId;
    const isMissing = this.#hasStarted && (isOther || blockOf(first) > blockOf(this.#last) + 1);
    this.#first = first;
    if (isOther || first > this.#last) {
      this.#height = blockOf(first);
      this.#last = first - 1;
      this.#seen.clear();
      this.#expected = undefined;
    }
    return isMissing;
  }

  /** Call when a stream has ended. The first event of the next one shows whether the hub still has the current block. */
  onReconnect(): void {
    this.#rejoining = this.#hasStarted && this.#first === 0;
  }

  /** Height of the current block; 0 if nothing was stored. */
  get height(): number {
    return this.#hasStarted ? this.#height : 0;
  }

  /**
   * Call when the hub's log ends before the position. When it has come so far, a gap is found, because it may be another log,
   * unless it has the current block: then it is the same.
   */
  onBehind(): void {
    this.#isBehind = true;
  }

  /** Whether the hub was behind the position, and has not come so far since. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Ignores the counts of confirmations from now on, because they disagree with the hub's log. */
  ignoreCounts(): void {
    this.#checksCounts = false;
  }

  /**
   * Classifies an event. Call {@link accept} if the event is processed.
   * @param time Farcaster time of its block; 0 from hubs that do not say
   */
  classify(id: number, time = 0): Step {
    const height = blockOf(id);
    // The current block is read again after a reconnect: in the log of another hub, it is another block.
    if (height === this.#height && time > 0 && this.#time !== undefined) {
      if (time !== this.#time) return 'start-gap';
      this.#isBehind = false;
    }
    if (height < this.#height || this.#seen.has(id)) {
      this.#rejoining = false;
      return 'repeat';
    }
    if (this.#isBehind) return 'start-gap';
    if (height === this.#height) return 'next';
    if (this.#rejoining) return 'start-gap';
    if (!this.#confirms) return 'next';
    if (height !== this.#height + 1) return 'height-gap';
    if (this.#checksCounts && this.#expected !== undefined && this.#seen.size < this.#expected) return 'count-gap';
    return 'next';
  }

  /**
   * @param blockEvents number of events of the block, if the event is its confirmation
   * @param time Farcaster time of the block; 0 from hubs that do not say
   */
  accept(id: number, blockEvents: number | undefined, time = 0): void {
    const height = blockOf(id);
    this.#rejoining = false;
    this.#isBehind = false;
    this.#hasStarted = true;
    if (height !== this.#height) {
      this.#height = height;
      this.#seen.clear();
      this.#expected = undefined;
    }
    this.#time = time > 0 ? time : undefined;
    this.#seen.add(id);
    this.#last = Math.max(this.#last, id);
    // A confirmation that counts no event, not even itself, is Castellan's, which confirms its last event.
    if (blockEvents !== undefined && blockEvents > 0) {
      this.#confirms = true;
      this.#expected = blockEvents;
    }
  }
}
