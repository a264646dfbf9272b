/** How far a sync is. */
export interface SyncState {
  /** Accounts. */
  readonly done: number;
  readonly total: number;
  /** Seconds until its end at the rate since this process began it; null before the first accounts. */
  readonly secondsLeft: number | null;
}

/** Seconds between two lines of the log about a sync. */
const LOG_EVERY = 60;

/** Measures a running sync, and reports it once a minute: what is done after a restart was done by another process. */
export class SyncProgress {
  readonly #startedAt: number;
  readonly #report: (state: SyncState) => void;
  readonly #clock: () => number;
  #first: number | undefined;
  #reportedAt: number;
  #state: SyncState = { done: 0, total: 0, secondsLeft: null };

  /** @param clock milliseconds */
  constructor(report: (state: SyncState) => void, clock: () => number = () => performance.now()) {
    this.#report = report;
    this.#clock = clock;
    this.#startedAt = clock();
    this.#reportedAt = clock();
  }

  get state(): SyncState {
    return this.#state;
  }

  update(done: number, total: number): void {
    const now = this.#clock();
    this.#first ??= done;
    const here = done - this.#first;
    const seconds = (now - this.#startedAt) / 1000;
    this.#state = { done, total, secondsLeft: here > 0 ? Math.round((seconds / here) * (total - done)) : null };
    if (now - this.#reportedAt < LOG_EVERY * 1000) return;
    this.#reportedAt = now;
    this.#report(this.#state);
  }
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

const roughly = (seconds: number): string => {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `about ${Math.max(1, Math.round(seconds / size))} ${unit} left`;
};

/** @returns how far a sync is, for people: `syncing 37%, about 5 h left` */
export const describeSync = ({ done, total, secondsLeft }: SyncState): string => {
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
  return `syncing ${percent}%${secondsLeft === null ? '' : `, ${roughly(secondsLeft)}`}`;
};
