/** Milliseconds after which a read without a free connection fails. */
const MAX_WAIT_MS = 5_000;

/** No connection became free in time. Its code is PostgreSQL's "too_many_connections", so the database is unavailable. */
export class NoConnectionFree extends Error {
  override readonly name = 'NoConnectionFree';
  readonly code = '53300';

  constructor() {
    super(`No connection became free in ${MAX_WAIT_MS / 1000} s.`);
  }
}

type Start = () => void;

/**
 * Lets callers take turns at a few connections, so that a caller with many costly reads delays the others by a few of
 * them only.
 */
export class CallerQueue {
  #free: number;
  /** Reads that wait, by caller; the caller whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Start>>();

  /** @param connections how many reads run at once */
  constructor(connections: number) {
    this.#free = connections;
  }

  /** Runs `work` when it is the turn of the caller. @throws NoConnectionFree after five seconds, else errors of `work` */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(caller);
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  #turn(caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#remove(caller, start);
        reject(new NoConnectionFree());
      }, MAX_WAIT_MS);
      const own = this.#waiting.get(caller) ?? new Set();
      this.#waiting.set(caller, own.add(start));
    });
  }

  #startNext(): void {
    for (const [caller, [first]] of this.#waiting) {
      if (first === undefined) continue;
      const own = this.#remove(caller, first);
      // The next turn of this caller comes after one of each other caller.
      if (this.#waiting.delete(caller)) this.#waiting.set(caller, own);
      first();
      return;
    }
    this.#free++;
  }

  /** @returns the reads of the caller that still wait */
  #remove(caller: string, start: Start): Set<Start> {
    const own = this.#waiting.get(caller) ?? new Set();
    own.delete(start);
    if (own.size === 0) this.#waiting.delete(caller);
    return own;
  }
}
