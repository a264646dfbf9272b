import { setTimeout as wait } from 'node:timers/promises';
import type { Reads } from '../../cache/read-cache.js';
import type { Reader } from '../../db/statement.js';
import { createPollingLoop } from '../../delivery/polling-loop.js';
import type { WebhookSubscriptionFilters } from '../../schema/event/webhook.js';
import { selectEventLog } from '../../store/hub/event.js';
import { eventsOfLog } from '../log.js';
import { Matcher } from '../matcher.js';
import { type MatchDependencies, matchEvents, renderMatches } from '../outgoing.js';
import type { PatternSearch } from '../pattern-search.js';
import { afterRow } from '../position.js';
import type { EventStream } from './event-stream.js';

/** How often the log is read for a commit that was not announced. */
const POLL_MS = 1_000;
/** The shortest time between two reads of the log when no more events are waiting. */
const PAUSE_MS = 50;
const PAGE_ROWS = 1_000;
/** How long it waits after an error, such as an unavailable database. */
const RETRY_MS = 1_000;

interface Member {
  readonly stream: EventStream;
  /** Takes its filters out of the matcher. */
  readonly remove: () => void;
  /** Resolves the promise of `follow`. */
  readonly left: () => void;
}

interface Candidate {
  readonly stream: EventStream;
  readonly filters: WebhookSubscriptionFilters;
  readonly left: () => void;
}

/**
 * Reads the end of the log once for all streams of this process that have read everything before. Each event is matched
 * against all of them at once, and rendered once.
 */
export class LiveTail {
  readonly #db: Reader;
  readonly #reads: Reads;
  readonly #search: PatternSearch;
  readonly #matcher: Matcher<EventStream>;
  readonly #members = new Map<EventStream, Member>();
  #candidates: Candidate[] = [];
  /** Id of the last row of the log that the members have; meaningless while there are none. */
  #logId = 0;
  readonly #rounds: ReturnType<typeof createPollingLoop>;
  /** Monotonic milliseconds at which the last round began. */
  #began = 0;

  constructor(
    dependencies: MatchDependencies & {
      readonly db: Reader;
      readonly aliasesOf: (url: string) => readonly string[];
      readonly failed: (error: unknown) => void;
    },
  ) {
    const { db, reads, search, aliasesOf, failed } = dependencies;
    this.#db = db;
    this.#reads = reads;
    this.#search = search;
    this.#matcher = new Matcher(aliasesOf);
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

  /** Collects the commits of a moment: each round reads and matches what they brought. */
  #pollSoon(): void {
    if (this.#members.size > 0) this.#rounds.pollIn(Math.max(0, this.#began + PAUSE_MS - performance.now()));
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    for (const { left } of this.#candidates.splice(0)) left();
    for (const { left } of this.#members.values()) left();
  }

  /**
   * Sends a stream the events after its position that match its filters.
   * @returns a promise that resolves when the stream must read the log by itself: at once if it is behind the others,
   *   later if it reads too slowly; also when its connection is closed
   */
  follow(stream: EventStream, filters: WebhookSubscriptionFilters): Promise<void> {
    return new Promise((left) => {
      if (this.#rounds.isStopping) left();
      else {
        this.#candidates.push({ stream, filters, left });
        this.#rounds.pollIn(0);
      }
    });
  }

  /** Adds waiting streams between two pages: one that was added during a page would miss the first events of it. */
  #admitWaiting(): void {
    for (const { stream, filters, left } of this.#candidates.splice(0)) {
      if (this.#members.size === 0) this.#logId = stream.position.logId;
      // It is behind the others and would skip the rows in between, so it reads them from the log first.
      if (!stream.isOpen || stream.position.logId < this.#logId) left();
      else this.#members.set(stream, { stream, left, remove: this.#matcher.add(filters, stream) });
    }
  }

  #detach({ stream, remove, left }: Member): void {
    this.#members.delete(stream);
    remove();
    left();
  }

  async #round(): Promise<void> {
    let isMore = true;
    while (isMore && !this.#rounds.isStopping) {
      for (const member of this.#members.values()) if (!member.stream.isOpen) this.#detach(member);
      this.#admitWaiting();
      isMore = this.#members.size > 0 && (await this.#sendPage());
    }
  }

  /** @returns whether more may be waiting */
  async #sendPage(): Promise<boolean> {
    const rows = await selectEventLog(this.#db, this.#logId, PAGE_ROWS);
    const last = rows.at(-1);
    if (last === undefined) return false;
    await this.#reads.catchUp();
    const events = await eventsOfLog(this.#db, rows, this.#reads.open().view.report);
    const outgoing = await renderMatches(
      this.#reads,
      await matchEvents({ reads: this.#reads, search: this.#search }, this.#matcher, events),
    );
    // Nothing below is asynchronous: a stream that is full gets none of the later events either, so it can go on from its
    // position without a gap.
    for (const one of outgoing) for (const stream of one.recipients) if (!stream.isFull) stream.send(one);
    for (const member of this.#members.values()) {
      if (member.stream.isFull) this.#detach(member);
      else member.stream.advance(afterRow(last.id));
    }
    this.#logId = last.id;
    return rows.length === PAGE_ROWS;
  }
}
