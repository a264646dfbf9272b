export const WINDOW_MS = 60_000;

/** What stands in the header `RateLimit` of an answer. */
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

/**
 * Adds to a count that processes share.
 * @param isAwaited false: no request waits for it yet, so it may wait a moment for others
 * @returns undefined where the count cannot be reached; never rejects
 */
export type Add = (points: number, isAwaited: boolean) => Promise<Counted | undefined>;

/**
 * Points of the first lease of who made no requests in the last window; each further one takes twice as many. Who calls
 * rarely writes once a window.
 */
const FIRST_LEASE = 4;
/** A lease takes one part in so many of what is left, so that little lies idle where no further request comes. */
const PARTS = 10;
/** The next lease is asked for when one part in so many of a lease is not yet taken. */
const AHEAD_PARTS = 8;

/**
 * Beyond every place. What is read for each request are whole numbers of 31 bits, as the times are: Node keeps those in
 * the object itself, and with thousands of keys each look elsewhere is one to memory.
 */
const FAR = 0x7fff_ffff;

interface Waiting {
  readonly limit: number;
  readonly done: (allowance: Allowance) => void;
}

/** The places `next` to `last`, until its window ends, in whole milliseconds. */
interface Lease {
  readonly next: number;
  readonly last: number;
  readonly endsAt: number;
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
  /** The places `#next` to `#last` are leased and not yet taken, until `#endsAt`. */
  #next = 1;
  #last = 0;
  #endsAt = 0;
  /** The lease after those, which was asked for before they were all taken. */
  #ahead: Lease | undefined;
  /** From this place on the next lease is asked for. */
  #aheadFrom = FAR;
  #size = FIRST_LEASE;
  /** Places taken in the window. */
  #taken = 0;
  #isLeasing = false;
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
    if (this.#ahead !== undefined && (this.#next > this.#last || now >= this.#endsAt)) this.#enter(this.#ahead, limit);
    const known = now < this.#endsAt ? this.#takePlace(limit, now) : undefined;
    if (known !== undefined) {
      if (this.#next > this.#aheadFrom && !this.#isLeasing) void this.#leaseAhead(limit);
      return known;
    }
    return new Promise((done) => {
      this.#waiting.push({ limit, done });
      if (!this.#isLeasing) void this.#serve();
    });
  }

  /** Whether its last window ended so long ago that it has nothing to do with the next one. */
  isForgotten(now: number): boolean {
    return now >= this.#endsAt + WINDOW_MS && !this.#isLeasing;
  }

  /** @returns undefined when only the shared count can tell */
  #takePlace(limit: number, now: number): Allowance | undefined {
    const exceeded = this.#next > limit;
    if (!exceeded && this.#next > this.#last) return undefined;
    if (!exceeded) {
      this.#next += 1;
      this.#taken += 1;
    }
    return {
      limit,
      remaining: Math.max(0, limit - this.#next + 1),
      resetSeconds: Math.max(1, Math.ceil((this.#endsAt - now) / 1000)),
      exceeded,
    };
  }

  #enter({ next, last, endsAt }: Lease, limit: number): void {
    this.#ahead = undefined;
    this.#next = next;
    this.#last = last;
    this.#endsAt = endsAt;
    const margin = Math.floor((last - next + 1) / AHEAD_PARTS);
    // The first lease is enough for who calls rarely, and the last places are leased when they are needed.
    this.#aheadFrom = margin > 0 && this.#most(limit) >= FIRST_LEASE ? last - margin : FAR;
  }

  /** Leases until everybody who waits has an answer. */
  async #serve(): Promise<void> {
    this.#isLeasing = true;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const lease = await this.#lease(first.limit, true);
      if (lease === undefined) this.#goAlone();
      else this.#enter(lease, first.limit);
      this.#answer();
    }
    this.#isLeasing = false;
  }

  /** Leases while there are still places to take; nobody waits unless the answer is late. */
  async #leaseAhead(limit: number): Promise<void> {
    this.#isLeasing = true;
    this.#aheadFrom = FAR;
    this.#ahead = await this.#lease(limit, false);
    if (this.#ahead !== undefined && this.#waiting.length > 0) {
      this.#enter(this.#ahead, limit);
      this.#answer();
    }
    await this.#serve();
  }

  /** @returns undefined where the count is away */
  async #lease(limit: number, isAwaited: boolean): Promise<Lease | undefined> {
    const askedAt = this.#clock();
    if (askedAt >= this.#endsAt) this.#begin();
    const points = this.#points(limit);
    const counted = await this.#add(points, isAwaited);
    if (counted === undefined) return undefined;
    const { total, endsInMs } = counted;
    // From when it was asked: a lease may end early, but not outlive its window.
    return { next: total - points + 1, last: total, endsAt: Math.floor(askedAt + Math.min(endsInMs, WINDOW_MS)) };
  }

  /** Who was busy in the last window needs no small leases in the next one. */
  #begin(): void {
    this.#size = Math.max(FIRST_LEASE, this.#taken);
    this.#taken = 0;
    this.#next = 1;
    this.#last = 0;
  }

  #points(limit: number): number {
    const left = limit - this.#last;
    const ahead = Math.min(this.#size, this.#most(limit));
    this.#size *= 2;
    return Math.max(1, Math.min(left, Math.max(ahead, this.#waiting.length)));
  }

  /** @returns how large a lease may be, beyond the requests that wait */
  #most(limit: number): number {
    return Math.floor((limit - this.#last) / PARTS);
  }

  /** Goes on from the last known total to the window's end, as if this process were the only one. */
  #goAlone(): void {
    const now = this.#clock();
    if (now >= this.#endsAt) {
      this.#begin();
      this.#endsAt = Math.floor(now + WINDOW_MS);
    }
    this.#next = this.#last + 1;
    this.#last = FAR;
    this.#aheadFrom = FAR;
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
