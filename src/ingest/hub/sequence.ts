/**
 * Hubs number events by block: the height in the high bits, the place within the block in the low 14, place 0 being
 * the block's confirmation, which is sent for every block, even an empty one, ahead of its other events.
 * @source snapchain, `src/storage/store/account/event.rs` and `commit_and_emit_events` in `engine.rs`
 */
const IDS_PER_BLOCK = 2 ** 14;

/** @returns the height of the block that an event belongs to. */
export const blockOf = (eventId: number): number => Math.floor(eventId / IDS_PER_BLOCK);

/** @returns the lowest id that an event of this block can have: its confirmation's. */
export const blockStart = (height: number): number => height * IDS_PER_BLOCK;

/** What the place of an event in the stream says. */
export type Step =
  /** next in order */
  | 'next'
  /** seen before */
  | 'repeat'
  /** the hub no longer has what came after the position that reading began at */
  | 'start-gap'
  /** heights are missing before this event */
  | 'height-gap'
  /** the block before this event had more events than were seen */
  | 'count-gap';

/**
 * Follows the event ids of one shard and notices what is missing. It needs no state of its own to survive: after
 * a restart, reading begins again at the start of the block where it stopped.
 *
 * Why events can be missing even from a live stream: a hub reads its log up to the end before it joins a subscriber to
 * the live events, and drops live events for a subscriber that lags (snapchain, `subscribe` in `server.rs`).
 */
export class HubSequence {
  /** Ids of the current block that were seen. */
  private readonly seen = new Set<number>();
  private height: number;
  /** How many events the current block has, where its confirmation said so. */
  private expected: number | undefined;
  private confirms = false;
  private countsHold = true;
  /** True from a (re)connect to the first event, which tells whether the hub still has the log from our block on. */
  private rejoining: boolean;
  private hasBegun: boolean;

  /**
   * @param position id of the event to go on from
   * @param isStored whether that event, and all before it, were stored: only then can something be missing
   */
  constructor(position: number, isStored: boolean) {
    this.height = blockOf(position);
    this.hasBegun = isStored;
    this.rejoining = isStored;
  }

  /** Id to subscribe from: the whole current block is read again. */
  get fromId(): number {
    return blockStart(this.height);
  }

  /** Call before reading from another stream. */
  rejoin(): void {
    this.rejoining = this.hasBegun;
  }

  /** The hub's own log disagrees with its counts: do not look at them again. */
  distrustCounts(): void {
    this.countsHold = false;
  }

  /** Says what the place of an event means; whoever keeps the event calls {@link accept}. */
  judge(id: number): Step {
    const height = blockOf(id);
    if (height < this.height || this.seen.has(id)) {
      this.rejoining = false;
      return 'repeat';
    }
    if (height === this.height) return 'next';
    if (this.rejoining) return 'start-gap';
    if (!this.confirms) return 'next';
    if (height !== this.height + 1) return 'height-gap';
    if (this.countsHold && this.expected !== undefined && this.seen.size < this.expected) return 'count-gap';
    return 'next';
  }

  /** @param blockEvents what a block's confirmation says about the number of its events. */
  accept(id: number, blockEvents: number | undefined): void {
    const height = blockOf(id);
    this.rejoining = false;
    this.hasBegun = true;
    if (height !== this.height) {
      this.height = height;
      this.seen.clear();
      this.expected = undefined;
    }
    this.seen.add(id);
    if (blockEvents !== undefined) {
      this.confirms = true;
      this.expected = blockEvents;
    }
  }
}
