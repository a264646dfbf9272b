import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Database } from '../../db/database.js';
import { createPollingLoop } from '../../delivery/polling-loop.js';
import { AppError } from '../../error.js';
import type { WebhookSubscriptionFilters } from '../../schema/event/webhook.js';
import { selectEndedApiKeys } from '../../store/access/api-key.js';
import { ChannelAliases } from '../channel-alias.js';
import { Matcher } from '../matcher.js';
import type { MatchDependencies } from '../outgoing.js';
import { MAX_ALL_PATTERNS, MAX_APP_PATTERNS, type PatternSizes, patternSizes, totalSize } from '../pattern-budget.js';
import type { EventStream } from './event-stream.js';
import { sendHistory } from './history.js';
import { LiveTail } from './live-tail.js';

const HEARTBEAT_MS = 15_000;
/** How long a stream waits after an error. */
const RETRY_MS = 1_000;
/** Heartbeats after which a client that has not read is cut off: a minute. */
const MAX_UNREAD_BEATS = 4;
/** Streams of one process, and of one app in it. */
const MAX_STREAMS = 5_000;
const MAX_APP_STREAMS = 2_000;
/** Streams that use the database at once to read history. */
const HISTORY_CONCURRENCY = 4;

const tooMany = (message: string): AppError =>
  new AppError('unavailable', 'TooManyStreams', message, { retryAfter: HEARTBEAT_MS / 1000 });

/** The open streams of a process. */
export class Streams {
  readonly #db: Database;
  readonly #matching: MatchDependencies;
  readonly #clock: () => number;
  readonly #failed: (error: unknown) => void;
  readonly #tail: LiveTail;
  readonly #aliases = new ChannelAliases();
  /** With the regular expressions of each. */
  readonly #open = new Map<EventStream, PatternSizes>();
  readonly #limited = pLimit(HISTORY_CONCURRENCY);
  readonly #heartbeats: ReturnType<typeof createPollingLoop>;
  #isStopping = false;

  /** @param dependencies `clock` gives Unix milliseconds; `failed` receives errors, after which the work is tried again */
  constructor(
    dependencies: MatchDependencies & {
      readonly db: Database;
      readonly clock: () => number;
      readonly failed: (error: unknown) => void;
      /** 15 s unless given; a client that has read nothing for four of them is cut off. */
      readonly heartbeatMs?: number;
    },
  ) {
    const { db, reads, search, clock, failed, heartbeatMs = HEARTBEAT_MS } = dependencies;
    this.#db = db;
    this.#matching = { reads, search };
    this.#clock = clock;
    this.#failed = failed;
    this.#tail = new LiveTail({ ...this.#matching, db, aliasesOf: this.#aliases.of, failed });
    this.#heartbeats = createPollingLoop({ everyMs: heartbeatMs, round: () => this.#beat(), failed });
  }

  /** Streams that are open now. */
  get size(): number {
    return this.#open.size;
  }

  start(): void {
    this.#tail.start();
    this.#heartbeats.start();
  }

  /** Sends all clients the position from which to go on, and closes their connections. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const closed = [...this.#open.keys()].map((stream) => {
      stream.end('stopping');
      return stream.closed;
    });
    await Promise.all([this.#tail.stop(), this.#heartbeats.stop(), ...closed]);
  }

  /**
   * @param filters of a stream that is about to be opened
   * @throws AppError `unavailable` if there are too many streams already, the regular expressions of all are too large, or
   *   the service is stopping
   */
  requireCapacity(appId: string, filters: WebhookSubscriptionFilters): void {
    if (this.#isStopping) throw tooMany('The service is stopping.');
    if (this.#open.size >= MAX_STREAMS) throw tooMany(`This process has ${MAX_STREAMS} streams already.`);
    const ofApp = [...this.#open].flatMap(([stream, sizes]) => (stream.appId === appId ? [sizes] : []));
    if (ofApp.length >= MAX_APP_STREAMS) throw tooMany(`This app has ${MAX_APP_STREAMS} streams already: close some.`);
    const sizes = patternSizes(filters);
    if (sizes.size === 0) return;
    if (totalSize([...ofApp, sizes]) > MAX_APP_PATTERNS) {
      throw tooMany(
        `The regular expressions of this app's streams would have more than ${MAX_APP_PATTERNS} instructions: close some streams, or use shorter expressions, or the same in several streams.`,
      );
    }
    if (totalSize([...this.#open.values(), sizes]) > MAX_ALL_PATTERNS) {
      throw tooMany('The regular expressions of all streams are too large: use a shorter one, or try again later.');
    }
  }

  /** Sends a stream everything after its position that its filters ask for, until it is closed. */
  run(stream: EventStream, filters: WebhookSubscriptionFilters): void {
    this.#open.set(stream, patternSizes(filters));
    void stream.closed.then(() => this.#open.delete(stream));
    if (this.#isStopping) stream.end('stopping');
    void this.#keepSending(stream, filters);
  }

  async #keepSending(stream: EventStream, filters: WebhookSubscriptionFilters): Promise<void> {
    while (stream.isOpen) {
      try {
        await this.#send(stream, filters);
      } catch (error) {
        // An unavailable database, say: the stream stays open and goes on from its position.
        this.#failed(error);
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async #send(stream: EventStream, filters: WebhookSubscriptionFilters): Promise<void> {
    await this.#aliases.load(this.#db, [filters]);
    const matcher = new Matcher<EventStream>(this.#aliases.of);
    matcher.add(filters, stream);
    while (stream.isOpen) {
      await stream.drained();
      const sent = await sendHistory({ ...this.#matching, db: this.#db }, { stream, matcher }, this.#limited);
      if (sent === 'gone') stream.end('gone');
      else if (sent === 'end' && stream.isOpen) await this.#tail.follow(stream, filters);
    }
  }

  async #beat(): Promise<void> {
    if (this.#open.size === 0) return;
    for (const stream of this.#open.keys()) if (stream.heartbeat() > MAX_UNREAD_BEATS) stream.end('slow');
    const keyIds = [...new Set([...this.#open.keys()].map(({ keyId }) => keyId))];
    const ended = new Set(await selectEndedApiKeys(this.#db, keyIds, new Date(this.#clock())));
    for (const stream of this.#open.keys()) if (ended.has(stream.keyId)) stream.end('key');
  }
}
