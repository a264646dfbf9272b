/** Lines about a replica that may follow each other at once, and milliseconds after which there may be one more. */
const LINES = 4;
const LINE_MS = 60_000;

interface Reports {
  problem: string | undefined;
  /** Changes of the problem since the last line. */
  changes: number;
  /** Lines that may follow now; grows with time, in fractions. */
  lines: number;
  /** Milliseconds, when `lines` last grew. */
  countedAt: number;
}

/** Limits what is reported of each replica: one whose lag is around the limit changes all the time. */
export class ReportLimit {
  readonly #now: () => number;
  readonly #reports = new Map<string, Reports>();

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
    const reports = this.#reports.get(name);
    if (reports === undefined) {
      this.#reports.set(name, { problem, changes: 0, lines: LINES - 1, countedAt: now });
      return 1;
    }
    if (reports.problem !== problem) reports.changes += 1;
    reports.problem = problem;
    reports.lines = Math.min(LINES, reports.lines + (now - reports.countedAt) / LINE_MS);
    reports.countedAt = now;
    if (reports.lines < 1) return 0;
    const { changes } = reports;
    if (changes > 0) reports.lines -= 1;
    reports.changes = 0;
    return changes;
  }
}
