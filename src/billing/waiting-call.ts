import { AppError } from '../error.js';
import type { Standing } from './meter.js';

/** How long a call waits for units before it gives up on the database. */
const WAIT_MS = 5000;

/** A call that waits until units are reserved for it. */
export class WaitingCall {
  readonly units: number;
  /** Fails with what the call is answered with: 402 where nothing is left, 503 where the database stays away. */
  readonly over: Promise<Standing | undefined>;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;
  #resolve: (standing: Standing | undefined) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(units: number) {
    this.units = units;
    this.over = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#timer = setTimeout(() => {
      const message = 'The compute units of this call cannot be reserved at the moment. Try again shortly.';
      this.refuse(new AppError('unavailable', 'ServiceUnavailable', message));
    }, WAIT_MS);
  }

  /** Whether it has its answer: nothing may be spent on it any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  admit(standing: Standing | undefined): void {
    this.#end();
    this.#resolve(standing);
  }

  refuse(error: unknown): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
