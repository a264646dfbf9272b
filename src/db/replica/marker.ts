import { type LogPosition, MAX_STALENESS_MS, type Mark } from './mark.js';

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

/** Who hears of marks. */
interface MarkListeners {
  readonly made: (mark: Mark) => void;
  readonly failed: () => void;
}

/** Makes marks: four times a second while there are reads, and at once for a read that needs a newer one. */
export class Marker {
  readonly #source: MarkSource;
  readonly #listeners: MarkListeners;
  #moment = -1;
  #asOf = Number.NEGATIVE_INFINITY;
  /** `#asOf` of the last mark that was made, and why those after it were not. */
  #madeAsOf = Number.NEGATIVE_INFINITY;
  #failure: Error | undefined;
  #isMaking = false;
  /** Whether another one is needed after the one that is being made. */
  #isWanted = false;
  #unusedMarks = 0;
  #isResting = false;
  #isStopped = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(source: MarkSource, listeners: MarkListeners) {
    this.#source = source;
    this.#listeners = listeners;
  }

  /** Why there is no mark that a read could use; undefined: there is one, or it was not tried. */
  get failure(): Error | undefined {
    return performance.now() - this.#madeAsOf > MAX_STALENESS_MS ? this.#failure : undefined;
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

  /**
   * Makes a mark of this moment or a later one, unless a recent one is on its way to the replicas.
   * @param since `performance.now()` after which the primary must have been asked
   */
  want(moment: number, since: number): void {
    const isRecent = this.#asOf >= since && performance.now() - this.#asOf < USED_MS;
    if (this.#moment < moment || !isRecent) void this.#make();
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
        const position = await this.#source.selectPosition();
        this.#failure = undefined;
        this.#madeAsOf = asOf;
        this.#listeners.made({ moment, asOf, ...position });
      } catch (error) {
        // Without the primary nobody knows what a replica lacks: reads go to the primary.
        this.#moment = -1;
        this.#failure = error as Error;
        this.#listeners.failed();
      }
    }
    this.#isMaking = false;
  }
}
