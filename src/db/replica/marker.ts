import type { LogPosition, Mark } from './mark.js';

/** Milliseconds between two marks while reads come, and while none do. */
const USED_MS = 250;
const UNUSED_MS = 10_000;
/** Marks after the last read before the pauses become longer. */
const UNUSED_MARKS = 20;

/** What marks are made from. */
export interface MarkSource {
  /** Asks the primary where its log ends. */
  readonly selectPosition: () => Promise<LogPosition>;
  /** @returns the moment of the tag clock: it moves with each write that this process hears of */
  readonly moment: () => number;
}

/** Makes marks: four times a second while there are reads, and at once for a read that needs a newer one. */
export class Marker {
  readonly #source: MarkSource;
  readonly #made: (mark: Mark) => void;
  #moment = -1;
  #asOf = Number.NEGATIVE_INFINITY;
  #isMaking = false;
  /** Whether another one is needed after the one that is being made. */
  #isWanted = false;
  #unusedMarks = 0;
  #isResting = false;
  #isStopped = true;
  #timer: NodeJS.Timeout | undefined;

  /** @param made called with each new mark */
  constructor(source: MarkSource, made: (mark: Mark) => void) {
    this.#source = source;
    this.#made = made;
  }

  start(): void {
    this.#isStopped = false;
    void this.#goOn();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Notes that a read came. */
  use(): void {
    this.#unusedMarks = 0;
    if (this.#isResting && !this.#isStopped) void this.#goOn();
  }

  /** Makes a mark of this moment or a later one, unless a recent one is on its way to the replicas. */
  want(moment: number): void {
    if (this.#moment >= moment && performance.now() - this.#asOf < USED_MS) return;
    void this.#make();
  }

  async #goOn(): Promise<void> {
    this.#isResting = false;
    clearTimeout(this.#timer);
    await this.#make();
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#isResting = this.#unusedMarks >= UNUSED_MARKS;
    this.#unusedMarks += 1;
    this.#timer = setTimeout(() => void this.#goOn(), this.#isResting ? UNUSED_MS : USED_MS).unref();
  }

  async #make(): Promise<void> {
    this.#isWanted = true;
    if (this.#isMaking) return;
    this.#isMaking = true;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      // Both before the question: the position includes everything that was committed until then.
      this.#moment = this.#source.moment();
      this.#asOf = performance.now();
      const [moment, asOf] = [this.#moment, this.#asOf];
      try {
        this.#made({ moment, asOf, ...(await this.#source.selectPosition()) });
      } catch {
        // Without the primary nobody knows what a replica lacks: reads go to the primary soon, and report why it fails.
        this.#moment = -1;
      }
    }
    this.#isMaking = false;
  }
}
