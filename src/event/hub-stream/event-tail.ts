import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Reads } from '../../cache/read-cache.js';
import type { Reader } from '../../db/statement.js';
import { createPollingLoop } from '../../delivery/polling-loop.js';
import { placeOf } from '../../protocol/event/place.js';
import { sentEvent } from '../../protocol/wire/sent-message.js';
import { selectLogStart } from '../../store/event/log-start.js';
import { type LoggedEvent, selectEventLogBounds, selectHubEvents } from '../../store/hub/event.js';

/** How often the log is read for a commit that was not announced. */
const POLL_MS = 1_000;
/** The shortest time between two reads of the log when no more events are waiting. */
const PAUSE_MS = 20;
/** How long it waits after an error, such as an unavailable database. */
const RETRY_MS = 1_000;
/** Events of one statement. */
const PAGE_EVENTS = 1_000;
/** The newest events that are kept for those who read along. */
const RECENT_BYTES = 4 * 2 ** 20;
/** Readers that use the database at once, so that they do not delay requests. */
const CONCURRENCY = 4;

/** An event as hubs send it. */
export interface SentEvent {
  /** Of its row in the log. */
  readonly logId: number;
  /** `HubEventType`. */
  readonly type: number;
  /** The protobuf `HubEvent`. */
  readonly bytes: Buffer;
}

const render = (event: LoggedEvent): SentEvent => ({
  logId: event.id,
  type: event.type,
  bytes: sentEvent(event.body, placeOf({ logId: event.id, seconds: event.seconds })),
});

/**
 * The log of events for readers who follow it. Each reads from its own position, at its own pace; new events are read from
 * the database once for all readers of the process. While nobody waits for any, nothing is read.
 */
export class EventTail {
  readonly #db: Reader;
  readonly #limited = pLimit(CONCURRENCY);
  readonly #rounds: ReturnType<typeof createPollingLoop>;
  /** Those who have everything up to `#end`. */
  readonly #waiting = new Set<() => void>();
  /** The newest events without a gap: all after the position `#start` up to `#end`. */
  #recent: SentEvent[] = [];
  #recentBytes = 0;
  #start = 0;
  #end = 0;
  #began = 0;

  /** @param dependencies `failed` receives errors, after which the log is read again */
  constructor({
    db,
    reads,
    failed,
  }: {
    readonly db: Reader;
    readonly reads: Pick<Reads, 'onChange'>;
    readonly failed: (error: unknown) => void;
  }) {
    this.#db = db;
    const round = async (): Promise<void> => {
      this.#began = performance.now();
      try {
        await this.#round();
      } catch (error) {
        failed(error);
        await wait(RETRY_MS, undefined, { ref: false });
      }
    };
    this.#rounds = createPollingLoop({ everyMs: POLL_MS, round, failed });
    reads.onChange(() => this.#pollSoon());
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    this.#wake();
  }

  get isStopping(): boolean {
    return this.#rounds.isStopping;
  }

  /** @returns the first row of the log from which on all are kept */
  async firstLogId(): Promise<number> {
    return (await selectLogStart(this.#db)).logId + 1;
  }

  /** @returns the newest row of the log; 0: there is none */
  async newestLogId(): Promise<number> {
    return (await selectEventLogBounds(this.#db)).newest;
  }

  /**
   * @param position row of the last event that the reader has; 0: none
   * @returns the events after it, at most a page; none at the end of the log; undefined if some of them were deleted
   *   because they are old
   */
  async read(position: number): Promise<readonly SentEvent[] | undefined> {
    if (position >= this.#start && position < this.#end) return this.#recentAfter(position);
    // The next round looks for those who have everything.
    if (position === this.#end && this.#waiting.size > 0) return [];
    return this.#limited(async () => {
      const rows = await selectHubEvents(this.#db, {
        from: position + 1,
        before: Number.MAX_SAFE_INTEGER,
        limit: PAGE_EVENTS,
      });
      // Checked after reading the rows, so that a deletion in between is noticed.
      return (await selectLogStart(this.#db)).logId > position ? undefined : rows.map(render);
    });
  }

  /** Resolves when there may be events after this position, when the reader is gone, or when the tail stops. */
  more(position: number, gone: AbortSignal): Promise<void> {
    if (this.#rounds.isStopping || gone.aborted || position < this.#end) return Promise.resolve();
    if (position > this.#end || this.#waiting.size === 0) this.#restart(position);
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        gone.removeEventListener('abort', wake);
        resolve();
      };
      gone.addEventListener('abort', wake);
      this.#waiting.add(wake);
      if (this.#waiting.size === 1) this.#rounds.pollIn(0);
    });
  }

  /** Goes on from a position after which nothing was kept; those who wait at another one read what is between. */
  #restart(position: number): void {
    if (position === this.#end) return;
    this.#wake();
    this.#recent = [];
    this.#recentBytes = 0;
    this.#start = position;
    this.#end = position;
  }

  #recentAfter(position: number): readonly SentEvent[] {
    let [low, high] = [0, this.#recent.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#recent[middle] as SentEvent).logId > position) high = middle;
      else low = middle + 1;
    }
    return this.#recent.slice(low, low + PAGE_EVENTS);
  }

  /** Collects the commits of a moment: each round reads what they brought. */
  #pollSoon(): void {
    if (this.#waiting.size > 0) this.#rounds.pollIn(Math.max(0, this.#began + PAUSE_MS - performance.now()));
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  async #round(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const from = this.#end + 1;
    const rows = await selectHubEvents(this.#db, { from, before: Number.MAX_SAFE_INTEGER, limit: PAGE_EVENTS });
    if (from !== this.#end + 1) this.#rounds.pollIn(0);
    else if (rows.length > 0) this.#publish(rows);
  }

  #publish(rows: readonly LoggedEvent[]): void {
    for (const row of rows) this.#keep(render(row));
    this.#wake();
  }

  #keep(event: SentEvent): void {
    this.#recent.push(event);
    this.#recentBytes += event.bytes.length;
    this.#end = event.logId;
    let dropped = 0;
    while (this.#recentBytes > RECENT_BYTES && dropped < this.#recent.length - 1) {
      const first = this.#recent[dropped++] as SentEvent;
      this.#recentBytes -= first.bytes.length;
      this.#start = first.logId;
    }
    if (dropped > 0) this.#recent.splice(0, dropped);
  }
}
