import { pause } from './retry.js';

/** Entries of a batch, and limit of entries that wait while a batch is stored. */
const BATCH_SIZE = 2_000;
/** Milliseconds to wait for more entries of a batch. */
const GATHER = 50;

/**
 * Stores batches of a stream strictly one after the other. While one is stored, the next is filled; when it is full,
 * the stream is not read. This bounds memory, and the position of a batch is never written before the batch before it.
 */
export class BatchQueue<Entry> {
  readonly #store: (batch: readonly Entry[]) => Promise<void>;
  readonly #signal: AbortSignal;
  #open: Entry[] = [];
  #running: Promise<void> | undefined;
  #notifySpace: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** @param store stores a batch. After it fails, nothing more is stored. */
  constructor(store: (batch: readonly Entry[]) => Promise<void>, signal: AbortSignal) {
    this.#store = store;
    this.#signal = signal;
  }

  /**
   * @returns undefined if the next entry may be pushed at once, else a promise to wait for
   * @throws the error of `store`; create a new queue then and read again what was not stored
   */
  push(entry: Entry): Promise<void> | undefined {
    if (this.#failure) throw this.#failure.error;
    this.#open.push(entry);
    this.#running ??= this.#work();
    if (this.#open.length < BATCH_SIZE) return undefined;
    return new Promise((resolve) => {
      this.#notifySpace = resolve;
    });
  }

  /** True if a batch could not be stored: entries pushed since then must be read from the hub again. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** True while something waits or is being stored. */
  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when nothing waits, or nothing more will be stored. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #work(): Promise<void> {
    try {
      while (this.#open.length > 0) {
        if (this.#open.length < BATCH_SIZE) await pause(GATHER, this.#signal);
        const batch = this.#open;
        this.#open = [];
        this.#notifySpace?.();
        await this.#store(batch);
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#running = undefined;
      this.#notifySpace?.();
    }
  }
}
