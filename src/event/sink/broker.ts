import type { EventType } from '../../protocol/event/social-event.js';

/** An event as a broker gets it. */
export interface BrokerMessage {
  /** The same whenever this event is sent, and of no other: a broker drops repetitions by it. */
  readonly id: string;
  readonly type: EventType;
  /** The account that acted, whose events stay in order. */
  readonly fid: number;
  /** JSON in one line, in UTF-8. */
  readonly body: Buffer;
}

/** What became of messages that were sent. */
export interface SendResult {
  /** How many the broker has stored, or had already, counted from the first. */
  readonly confirmed: number;
  /** Why the next one was not confirmed; undefined: all were. */
  readonly failure?: unknown;
}

export interface BrokerConnection {
  /** Larger bodies are not accepted, in bytes. */
  readonly maxBodyBytes: number;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /**
   * Sends messages, and returns when the broker has answered for each or the connection has ended. After a failure the
   * broker stores no later message of these, so that the caller can go back to the first that is not confirmed.
   */
  send(messages: readonly BrokerMessage[]): Promise<SendResult>;
  close(): Promise<void>;
}

/** What a kind of broker must be able to do. */
export interface Broker {
  /**
   * Connects, and makes the place for the messages if it is missing.
   * @param signal ends the connection, also while it is opened
   * @throws if the broker cannot be reached, refuses the login or has no place for the messages
   */
  connect(signal: AbortSignal): Promise<BrokerConnection>;
}
