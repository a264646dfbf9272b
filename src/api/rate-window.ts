export const WINDOW_MS = 60_000;

/** What stands in the headers `RateLimit-*` of an answer. */
export interface Allowance {
  /** Requests per window. */
  readonly limit: number;
  /** As far as this process knows: others may have used some of them since it last asked. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
  /** Whether this request is one too many. */
  readonly exceeded: boolean;
}

/** Where a shared count stands after something was added to it. */
export interface Counted {
  readonly total: number;
  /** Milliseconds until it begins at 0 again. */
  readonly endsInMs: number;
}

/** Adds to a count that processes share. @returns undefined where it cannot be reached; never rejects */
export type Add = (points: number) => Promise<Counted | undefined>;

/** Points of a window's first lease; each further one takes twice as many. Who calls rarely writes once a window. */
const FIRST_LEASE = 4;
/** A lease takes one part in so many of what is left, so that little lies idle where no further request comes. */
const PARTS = 20;

interface Waiting {
  readonly limit: number;
  readonly done: (allowance: Allowance) => void;
}

/**
 * The requests of one key to one operation, in windows that begin with a first request. Adding points to the shared
 * count leases that many places of it: after a total of 20, 4 points are the places 17 to 20. Each place is in one lease
 * of one process, each request takes one place, and passes when that is not beyond the limit. So processes together let
 * exactly the limit through, however their leases mix, and a limit that changes holds at once.
 */
export class RateWindow {
  readonly #add: Add;
  readonly #clock: () => number;
  /** The places `#next` to `#last` are leased and not yet taken. */
  #next = 1;
  #last = 0;
  #endsAt = 0;
  #lease = FIRST_LEASE;
  #waiting: Waiting[] = [];

  /** @param clock milliseconds that never go back */
  constructor(add: Add, clock: () => number) {
    this.#add = add;
    this.#clock = clock;
  }

  /**
   * @param now by the clock
   * @returns at once while places are leased or none are left; requests that come during a lease wait for it together
   */
  take(limit: number, now = this.#clock()): Allowance | Promise<Allowance> {
    if (this.isOver(now)) this.#begin();
    else {
      const known = this.#takePlace(limit, now);
      if (known !== undefined) return known;
    }
    return new Promise((done) => {
      this.#waiting.push({ limit, done });
      if (this.#waiting.length === 1) void this.#serve();
    });
  }

  isOver(now: number): boolean {
    return now >= this.#endsAt && this.#waiting.length === 0;
  }

  #begin(): void {
    this.#next = 1;
    this.#last = 0;
    this.#lease = FIRST_LEASE;
  }

  /** @returns undefined when only the shared count can tell */
  #takePlace(limit: number, now: number): Allowance | undefined {
    const exceeded = this.#next > limit;
    if (!exceeded && this.#next > this.#last) return undefined;
    if (!exceeded) this.#next += 1;
    return {
      limit,
      remaining: Math.max(0, limit - this.#next + 1),
      resetSeconds: Math.max(1, Math.ceil((this.#endsAt - now) / 1000)),
      exceeded,
    };
  }

  /** Leases until everybody who waits has an answer. */
  async #serve(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const askedAt = this.#clock();
      const points = this.#points(first.limit);
      const counted = await this.#add(points);
      if (counted === undefined) this.#goAlone();
      else {
        this.#last = counted.total;
        this.#next = counted.total - points + 1;
        // From when it was asked: a lease may end early, but not outlive its window.
        this.#endsAt = askedAt + Math.min(counted.endsInMs, WINDOW_MS);
      }
      this.#answer();
    }
  }

  #points(limit: number): number {
    const left = limit - this.#last;
    const ahead = Math.min(this.#lease, Math.floor(left / PARTS));
    this.#lease *= 2;
    return Math.max(1, Math.min(left, Math.max(ahead, this.#waiting.length)));
  }

  /** Goes on from the last known total to the window's end, as if this process were the only one. */
  #goAlone(): void {
    const now = this.#clock();
    if (now >= this.#endsAt) {
      this.#begin();
      this.#endsAt = now + WINDOW_MS;
    }
    this.#next = this.#last + 1;
    this.#last = Number.POSITIVE_INFINITY;
  }

  /** The first who waits gets a place or a refusal in any case. */
  #answer(): void {
    const now = this.#clock();
    let answered = 0;
    for (const { limit, done } of this.#waiting) {
      const allowance = this.#takePlace(limit, now);
      if (allowance === undefined) break;
      done(allowance);
      answered += 1;
    }
    this.#waiting.splice(0, answered);
  }
}
