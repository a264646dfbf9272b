import type { ReadinessCheck } from '../../api/service.js';
import type { Output } from './output.js';

/**
 * What a development service does between the command and its first answer: each step is told to the terminal when it
 * begins, and to `/health/ready` until the last one is done.
 */
export class Startup {
  readonly #output: Output;
  #step: string | undefined = 'Starting';

  constructor(output: Output) {
    this.#output = output;
  }

  /** @param step what begins now, for a person: `Opening the database`. */
  begin(step: string): void {
    this.#step = step;
    this.#output.note(`${step} ...`);
  }

  /** Call it when the printed requests have answers: from then on the service is ready. */
  done(): void {
    this.#step = undefined;
  }

  /** Fails until everything that the welcome prints has an answer. */
  get readiness(): ReadinessCheck {
    return {
      name: 'startup',
      check: async () => (this.#step === undefined ? undefined : `not done yet: ${this.#step.toLowerCase()}`),
    };
  }
}
