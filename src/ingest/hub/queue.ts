import { pause } from './retry.js';

/** Entries that make a batch, and that may wait while the one before is stored. */
const BATCH_SIZE = 2_000;
/** Milliseconds that a batch waits for more entries. */
const GATHER = 50;

/**
 * Batches of a stream, stored strictly one after the other: while one is being stored the next fills up, and when it is
 * full the stream is not read. So memory is bounded, and the position of a batch never overtakes the batch before.
 */
export class BatchQueue<Entry> {
  private open: Entry[] = [];
  private running: Promise<void> | undefined;
  private makeRoom: (() => void) | undefined;
  private failure: { readonly error: unknown } | undefined;

  /** @param store stores a batch. Once it fails nothing more is stored. */
  constructor(
    private readonly store: (batch: readonly Entry[]) => Promise<void>,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @returns nothing when the next entry may come at once, else a promise to wait for.
   * @throws what `store` threw; make a new queue then and read again what was not stored
   */
  push(entry: Entry): Promise<void> | undefined {
    if (this.failure) throw this.failure.error;
    this.open.push(entry);
    this.running ??= this.work();
    if (this.open.length < BATCH_SIZE) return undefined;
    return new Promise((resolve) => {
      this.makeRoom = resolve;
    });
  }

  /** True when a batch could not be stored: what was pushed since is lost to this queue, and not to the hub. */
  get failed(): boolean {
    return this.failure !== undefined;
  }

  /** True while something waits or is being stored. */
  get busy(): boolean {
    return this.running !== undefined;
  }

  /** Resolves when nothing waits, or nothing more will be stored. */
  async drain(): Promise<void> {
    await this.running;
  }

  private async work(): Promise<void> {
    try {
      while (this.open.length > 0) {
        if (this.open.length < BATCH_SIZE) await pause(GATHER, this.signal);
        const batch = this.open;
        this.open = [];
        this.makeRoom?.();
        await this.store(batch);
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.running = undefined;
      this.makeRoom?.();
    }
  }
}
