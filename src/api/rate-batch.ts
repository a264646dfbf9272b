import type { RatePoints } from '../store/access/rate-limit.js';
import type { Counted } from './rate-window.js';

/** What nobody waits for yet is kept so long for others: a request takes its last leased place later than that. */
const PATIENCE_MS = 10;

interface Asked extends RatePoints {
  readonly done: (counted: Counted | undefined) => void;
}

/**
 * Adds to counts, each key once.
 * @returns the counts in the same order; undefined where they cannot be reached; never rejects
 */
type AddAll = (added: readonly RatePoints[]) => Promise<readonly Counted[] | undefined>;

/**
 * Makes one question out of many: thousands of keys take their leases in the same moments, and a statement costs more
 * than the requests that a lease lets through. One question is under way at a time; what comes meanwhile is the next one.
 */
export class RateBatch {
  readonly #addAll: AddAll;
  #gathered: Asked[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Whether what is gathered should be asked as soon as it can be. */
  #isDue = false;
  #isAsking = false;

  constructor(addAll: AddAll) {
    this.#addAll = addAll;
  }

  /**
   * @param isAwaited false: it may wait a moment for others
   * @returns undefined where the count cannot be reached; never rejects
   */
  add(key: string, points: number, isAwaited: boolean): Promise<Counted | undefined> {
    return new Promise((done) => {
      this.#gathered.push({ key, points, done });
      if (isAwaited) this.#askSoon();
      else this.#timer ??= setTimeout(() => this.#askSoon(), PATIENCE_MS).unref();
    });
  }

  /** What waits for others is never asked. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #askSoon(): void {
    this.#isDue = true;
    if (!this.#isAsking) void this.#askAll();
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#isDue) {
      // Requests that came in together share one question.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#takeBatch();
      const counts = await this.#addAll(batch);
      for (const [index, { done }] of batch.entries()) done(counts?.[index]);
    }
    this.#isAsking = false;
  }

  /** A key that was asked for again, because its first question takes too long, is left to the next question. */
  #takeBatch(): readonly Asked[] {
    const batch = new Map<string, Asked>();
    const rest: Asked[] = [];
    for (const asked of this.#gathered) {
      if (batch.has(asked.key)) rest.push(asked);
      else batch.set(asked.key, asked);
    }
    this.#gathered = rest;
    this.#isDue = rest.length > 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return [...batch.values()];
  }
}
