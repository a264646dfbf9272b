import type { Reads } from '../../cache/read-cache.js';
import type { Database } from '../../db/database.js';
import { createPollingLoop } from '../../delivery/polling-loop.js';
import { AppError } from '../../error.js';
import { eventIdOf, logIdFrom } from '../../protocol/event/place.js';
import { selectEndedApiKeys } from '../../store/access/api-key.js';
import { EventTail } from './event-tail.js';
import { EventsGone, type Subscriber, type SubscriberOutput, Subscription } from './subscription.js';

/** Milliseconds between two confirmations: clients take a stream for dead that is silent for 30 s. */
const HEARTBEAT_MS = 15_000;
/** Readers of one process, of one key in it, of one address without a key, and of all without a key. */
const MOST = { all: 5_000, ofKey: 2_000, ofAddress: 10, keyless: 100 } as const;

/** Who has a stream. */
export type Reader = Pick<Subscriber, 'keyId' | 'subject'>;

/** Where a reader begins. */
interface Start {
  /** Id of the first event that it wants; 0: everything that is kept; undefined: what happens from now on. */
  readonly fromId: number | undefined;
}

const tooMany = (message: string): AppError =>
  new AppError('unavailable', 'TooManyStreams', message, { retryAfter: HEARTBEAT_MS / 1000 });

const keyEnded = (): AppError =>
  new AppError('unauthorized', 'Unauthorized', 'This API key was revoked, or has ended.');

/** The streams of hub events that are open in a process. */
export class HubStreams {
  readonly #db: Database;
  readonly #clock: () => number;
  readonly #tail: EventTail;
  /** Those who have a place: their streams are open, or about to be. */
  readonly #readers = new Set<Reader>();
  /** With what ends each. */
  readonly #open = new Map<Subscription, (error: AppError) => void>();
  readonly #heartbeats: ReturnType<typeof createPollingLoop>;

  /** @param dependencies `clock` gives Unix milliseconds; `failed` receives errors of the background work */
  constructor({
    db,
    reads,
    clock,
    failed,
    heartbeatMs = HEARTBEAT_MS,
  }: {
    readonly db: Database;
    readonly reads: Pick<Reads, 'onChange'>;
    readonly clock: () => number;
    readonly failed: (error: unknown) => void;
    /** 15 s unless given. */
    readonly heartbeatMs?: number;
  }) {
    this.#db = db;
    this.#clock = clock;
    this.#tail = new EventTail({ db, reads, failed });
    this.#heartbeats = createPollingLoop({ everyMs: heartbeatMs, round: () => this.#beat(), failed });
  }

  /** Streams that are open now, or about to be. */
  get size(): number {
    return this.#readers.size;
  }

  start(): void {
    this.#tail.start();
    this.#heartbeats.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#tail.stop(), this.#heartbeats.stop()]);
  }

  /**
   * @returns the row of the log of the last event that a reader has who begins there
   * @throws EventsGone for an id below those that are kept, or above all that there are: a log of another service
   */
  async findPosition({ fromId }: Start): Promise<number> {
    const newest = await this.#tail.newestLogId();
    const first = await this.#tail.firstLogId();
    if (fromId === undefined) return Math.max(newest, first - 1);
    if (fromId === 0) return first - 1;
    const from = logIdFrom(fromId);
    if (from < first) throw new EventsGone(first);
    if (from <= Math.max(newest, first - 1) + 1) return from - 1;
    throw new EventsGone(first, `from_id is above ${eventIdOf(newest)}, the newest event, so it is of another log`);
  }

  /**
   * Takes a place for a stream.
   * @returns a function that gives it back
   * @throws AppError `unavailable` if the reader has too many streams, or all have
   */
  enter(reader: Reader): () => void {
    const { keyId, subject } = reader;
    const all = [...this.#readers];
    const own = all.filter((one) => one.subject === subject).length;
    if (all.length >= MOST.all) throw tooMany(`This process has ${MOST.all} streams already.`);
    if (own >= (keyId === undefined ? MOST.ofAddress : MOST.ofKey))
      throw tooMany(`You have ${own} streams already: close some.`);
    if (keyId === undefined && all.filter((one) => one.keyId === undefined).length >= MOST.keyless)
      throw tooMany(`There are ${MOST.keyless} streams without an API key already: send one.`);
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /**
   * Sends a reader its events until it is gone.
   * @throws AppError that says why the service ends the stream, and the database's error
   */
  async run(subscriber: Subscriber, output: SubscriberOutput): Promise<void> {
    const subscription = new Subscription(this.#tail, output, subscriber);
    const ended = new Promise<never>((_, reject) => this.#open.set(subscription, reject));
    try {
      await Promise.race([subscription.run(), ended]);
      if (!output.gone.aborted) throw tooMany('The service is stopping.');
    } finally {
      this.#open.delete(subscription);
    }
  }

  async #beat(): Promise<void> {
    if (this.#open.size === 0) return;
    const now = this.#clock();
    for (const subscription of this.#open.keys()) subscription.beat(now);
    const keyIds = [...new Set([...this.#open.keys()].flatMap(({ keyId }) => keyId ?? []))];
    const ended = new Set(await selectEndedApiKeys(this.#db, keyIds, new Date(now)));
    for (const [{ keyId }, end] of this.#open) if (keyId !== undefined && ended.has(keyId)) end(keyEnded());
  }
}
