import type { Writable } from 'node:stream';
import type { Dialect } from '../../schema/wire-names.js';
import type { OutgoingEvent, Recipient } from '../outgoing.js';
import { eventId, isAfter, type Position, printPosition } from '../position.js';
import { END_REASONS, type EndReason } from './end-reason.js';
import type { FrameFormat } from './frame.js';

/** A reader with more unread bytes gets its events from the log, at its own pace. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** How long a client may take to read the last message of its stream. */
const END_MS = 5_000;

/** A connection that can carry a stream. */
export interface StreamOutput {
  readonly writable: Writable;
  readonly format: FrameFormat;
}

/** One open stream: who reads it, how far it has come, and its connection. */
export class EventStream implements Recipient {
  readonly appId: string;
  readonly keyId: string;
  readonly dialect: Dialect;
  #position: Position;
  readonly #output: StreamOutput;
  #isOpen = true;
  #wake: (() => void) | undefined;
  /** Heartbeats since the client has last read everything. */
  #unreadBeats = 0;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;

  constructor(
    reader: { readonly appId: string; readonly keyId: string; readonly dialect: Dialect; readonly position: Position },
    output: StreamOutput,
  ) {
    this.appId = reader.appId;
    this.keyId = reader.keyId;
    this.dialect = reader.dialect;
    this.#position = reader.position;
    this.#output = output;
    const { writable } = output;
    writable.on('drain', () => {
      this.#unreadBeats = 0;
      this.#wake?.();
    });
    // A connection that breaks is closed; nothing else is to be done about it.
    writable.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      writable.once('close', () => {
        this.#isOpen = false;
        this.#wake?.();
        resolve();
      });
    });
    this.heartbeat();
  }

  /** Everything up to here was written. */
  get position(): Position {
    return this.#position;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether so much is unread that nothing should be added. */
  get isFull(): boolean {
    return this.#output.writable.writableLength > MAX_UNREAD_BYTES;
  }

  send({ event, body }: Pick<OutgoingEvent<Recipient>, 'event' | 'body'>): void {
    if (!this.#isOpen) return;
    this.#output.writable.write(this.#output.format.event(eventId(event), body));
    this.#position = { logId: event.logId, part: event.part };
  }

  /** Moves the position forward past events that are not for this stream. */
  advance(position: Position): void {
    if (this.#isOpen && isAfter(position, this.#position)) this.#position = position;
  }

  /** Sends the client its position, unless it is behind. @returns the number of heartbeats in a row with unread bytes */
  heartbeat(): number {
    const { writable, format } = this.#output;
    if (writable.writableNeedDrain) {
      this.#unreadBeats += 1;
      return this.#unreadBeats;
    }
    if (this.#isOpen) writable.write(format.heartbeat(printPosition(this.#position)));
    return 0;
  }

  /** Resolves when the client has read what was written, or the connection is closed. */
  async drained(): Promise<void> {
    if (!this.#isOpen || !this.#output.writable.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  /** Says why the stream ends and where to go on, then closes the connection. */
  end(reason: EndReason): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { writable, format } = this.#output;
    const id = printPosition(this.#position);
    writable.end(format.end({ type: 'end', reason, message: END_REASONS[reason], id }));
    setTimeout(() => writable.destroy(), END_MS).unref();
    this.#wake?.();
  }
}
