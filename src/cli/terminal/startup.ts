import type { ReadinessCheck } from '../../api/http/service.js';
import type { Output } from './output.js';

/**
 * Steps of a development service between the command and the first request. Each is printed when it begins, and
 * reported by `/health/ready` until the last one is done.
 */
export class Startup {
  readonly #output: Output;
  #step: string | undefined = 'Starting';
  #progress = '';

  constructor(output: Output) {
    this.#output = output;
  }

  /** @param step for users: `Opening the database` */
  begin(step: string): void {
    this.#step = step;
    this.#progress = '';
    this.#output.note(`${step} ...`);
  }

  /** Says how far the step is: `12,000 of 33,261 messages`. */
  progress(done: number, total: number, unit: string): void {
    this.#progress = ` (${Math.floor((100 * done) / total)}%)`;
    this.#output.progress(done, total, unit);
  }

  /** Call it when the printed requests work: from then on the service is ready. */
  done(): void {
    this.#step = undefined;
  }

  /** Fails until all printed requests work. */
  get readiness(): ReadinessCheck {
    return {
      name: 'startup',
      check: async () =>
        this.#step === undefined
          ? undefined
          : `not done yet: ${this.#step.charAt(0).toLowerCase()}${this.#step.slice(1)}${this.#progress}`,
    };
  }
}
