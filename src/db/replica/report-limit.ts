/** Lines about a replica that may follow each other at once, and milliseconds after which there may be one more. */
const LINES = 4;
const LINE_MS = 60_000;

interface Account {
  problem: string | undefined;
  /** Changes of the problem since the last line. */
  changes: number;
  lines: number;
  countedAt: number;
}

/** Limits what is reported of each replica: one whose lag is around the limit changes all the time. */
export class ReportLimit {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();

  /** @param now returns milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param problem that the replica has; undefined: none
   * @returns how often that has changed since the last report; 0: there is nothing to report, or not yet
   */
  countChanges(name: string, problem: string | undefined): number {
    const now = this.#now();
    const account = this.#accounts.get(name);
    if (account === undefined) {
      this.#accounts.set(name, { problem, changes: 0, lines: LINES - 1, countedAt: now });
      return 1;
    }
    if (account.problem !== problem) account.changes += 1;
    account.problem = problem;
    account.lines = Math.min(LINES, account.lines + (now - account.countedAt) / LINE_MS);
    account.countedAt = now;
    if (account.lines < 1) return 0;
    const { changes } = account;
    if (changes > 0) account.lines -= 1;
    account.changes = 0;
    return changes;
  }
}
