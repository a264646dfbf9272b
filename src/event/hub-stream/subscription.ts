import { setTimeout as wait } from 'node:timers/promises';
import { BlockConfirmedBody, HubEvent, HubEventType } from '@farcaster/core';
import { AppError } from '../../error.js';
import { eventIdOf, placeOf } from '../../protocol/event/place.js';
import type { EventTail, SentEvent } from './event-tail.js';

/** A reader that takes longer reads its page again: until then it would be kept in memory. */
const PATIENCE_MS = 1_000;

/** The connection of a reader. */
export interface SubscriberOutput {
  /** Aborted when the reader is gone. */
  readonly gone: AbortSignal;
  /** @returns whether more may be written before `drained` resolves */
  write(bytes: Buffer): boolean;
  /** Resolves when the reader has read, or is gone. */
  drained(): Promise<void>;
}

/** Who reads, and what. */
export interface Subscriber {
  /** Key of the caller; undefined: a reader without a key. */
  readonly keyId: string | undefined;
  /** Whose readers are counted together: a key, or an address. */
  readonly subject: string;
  /** Row of the log of the last event that the reader has. */
  readonly position: number;
  /** Numbers of `HubEventType`; empty: all. */
  readonly types: ReadonlySet<number>;
}

/** A page of the log that is being read. */
interface Page {
  /** Row of the last event before it. */
  readonly after: number;
  readonly events: Promise<readonly SentEvent[] | undefined>;
}

/** One reader of the log of events. */
export class Subscription {
  readonly keyId: string | undefined;
  readonly subject: string;
  readonly #tail: EventTail;
  readonly #output: SubscriberOutput;
  readonly #types: ReadonlySet<number>;
  #position: number;
  /** Whether it has everything, and nothing is being written. */
  #isWaiting = false;
  #hasWritten = false;

  constructor(tail: EventTail, output: SubscriberOutput, { keyId, subject, position, types }: Subscriber) {
    this.keyId = keyId;
    this.subject = subject;
    this.#tail = tail;
    this.#output = output;
    this.#position = position;
    this.#types = types;
  }

  /**
   * Sends all events after the position, in order, without gap or repetition, until the reader is gone or the tail stops.
   * @throws EventsGone if events that it does not have were deleted, and the database's error
   */
  async run(): Promise<void> {
    const { gone } = this.#output;
    let next: Page | undefined;
    while (!gone.aborted && !this.#tail.isStopping) {
      const events = await (next?.after === this.#position ? next.events : this.#tail.read(this.#position));
      if (events === undefined) throw new EventsGone(await this.#tail.firstLogId());
      next = this.#readNext(events);
      if (events.length > 0) await this.#send(events);
      else {
        this.#isWaiting = true;
        await this.#tail.more(this.#position, gone);
        this.#isWaiting = false;
      }
    }
  }

  /**
   * Confirms to a reader that it has everything up to its position, if nothing else was sent since the last call. Hubs
   * confirm each block, so clients take a silent stream for dead. The confirmation repeats the id of the last event.
   * @param now Unix milliseconds
   */
  beat(now: number): void {
    if (this.#isWaiting && !this.#hasWritten && this.#wants(HubEventType.BLOCK_CONFIRMED)) {
      const place = placeOf({ logId: this.#position, seconds: Math.floor(now / 1000) });
      const { blockNumber, shardIndex, timestamp } = place;
      const blockConfirmedBody = BlockConfirmedBody.create({ blockNumber, shardIndex, timestamp });
      const event = HubEvent.create({ type: HubEventType.BLOCK_CONFIRMED, ...place, blockConfirmedBody });
      this.#output.write(Buffer.from(HubEvent.encode(event).finish()));
    }
    this.#hasWritten = false;
  }

  /** Reads the page after this one while this one is sent. */
  #readNext(events: readonly SentEvent[]): Page | undefined {
    const last = events.at(-1);
    if (last === undefined) return undefined;
    const page = { after: last.logId, events: this.#tail.read(last.logId) };
    // An error counts only if the page is needed.
    page.events.catch(() => undefined);
    return page;
  }

  #wants(type: number): boolean {
    return this.#types.size === 0 || this.#types.has(type);
  }

  async #send(events: readonly SentEvent[]): Promise<void> {
    const { gone } = this.#output;
    for (const { logId, type, bytes } of events) {
      if (gone.aborted) return;
      this.#position = logId;
      if (!this.#wants(type)) continue;
      this.#hasWritten = true;
      if (this.#output.write(bytes)) continue;
      const drained = this.#output.drained();
      const isPatient = await Promise.race([drained.then(() => true), wait(PATIENCE_MS, false, { ref: false })]);
      if (isPatient) continue;
      await drained;
      // The rest of the page is read again.
      return;
    }
  }
}

/** A reader asks for events that the log does not have. */
export class EventsGone extends AppError {
  /** The id from which on all events are kept. */
  readonly firstId: number;

  /** @param firstLogId the first row of the log from which on all are kept */
  constructor(firstLogId: number, what = 'The events from from_id on are not kept, because they are old') {
    const firstId = eventIdOf(firstLogId);
    super('gone', 'Gone', `${what}: the log begins at event ${firstId}. Begin there, or with 0.`, {
      property: 'from_id',
    });
    this.firstId = firstId;
  }
}
