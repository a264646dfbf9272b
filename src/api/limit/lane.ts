import type { ServerResponse } from 'node:http';
import type { AppError } from '../../error.js';

/** A request that is in work or waits for that. */
export class Place {
  /** `long`: it has been in work for so long that its place was given to another request. */
  state: 'new' | 'waiting' | 'working' | 'long' | 'left' = 'new';
  /** Tick at which it entered its state. */
  since = 0;
  /** Whether a handler is running, which goes on after the client has disconnected. */
  isWorking = false;
  isClosed = false;
  readonly #release: (place: Place) => void;

  /** @param start continues the request, or refuses it */
  constructor(
    readonly lane: Lane,
    readonly response: ServerResponse,
    readonly start: (refusal?: AppError) => void,
    release: (place: Place) => void,
  ) {
    this.#release = release;
  }

  /** Whether the client has disconnected. The response of a pipelined request does not report that. */
  get isAbandoned(): boolean {
    return this.isClosed || this.response.req.socket?.destroyed === true;
  }

  /** The response has ended, or the client has disconnected. */
  closed(): void {
    this.isClosed = true;
    if (!this.isWorking) this.#release(this);
  }

  /** The handler has ended. */
  worked(): void {
    this.isWorking = false;
    if (this.isAbandoned) this.#release(this);
  }

  /** Gives the place back before the response has ended. */
  leave(): void {
    this.#release(this);
  }
}

/** The requests of one key. */
export class Lane {
  /** In the order of their arrival. */
  readonly waiting = new Set<Place>();
  inWork = 0;
  long = 0;
  /** Whether a request came since the last tick. */
  isActive = true;

  get first(): Place | undefined {
    return this.waiting.values().next().value;
  }

  get isIdle(): boolean {
    return !this.isActive && this.inWork === 0 && this.long === 0 && this.waiting.size === 0;
  }
}
