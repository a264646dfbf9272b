import { MINUTE_MS } from '../../duration.js';

/** Most calls to one receiver in a minute, and `rate_limit` of the contract's `Webhook`; the calls above it wait. */
export const CALLS_PER_MINUTE = 5_000;

/** Counts the calls of this process to each receiver in the running minute. */
export class SendRate {
  readonly #clock: () => number;
  #minute = 0;
  #calls = new Map<string, number>();

  /** @param clock Unix milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** @returns how many calls are left in this minute */
  left(webhookId: string): number {
    const minute = Math.floor(this.#clock() / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#calls = new Map();
    }
    return Math.max(0, CALLS_PER_MINUTE - (this.#calls.get(webhookId) ?? 0));
  }

  add(webhookId: string, calls: number): void {
    this.#calls.set(webhookId, (this.#calls.get(webhookId) ?? 0) + calls);
  }
}
