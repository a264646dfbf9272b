import { execFileSync } from 'node:child_process';

/** The first version of PgBouncer that keeps prepared statements apart in transaction mode is 1.21. */
const FIRST_MINOR = 21;

const minorVersion = (): number => {
  try {
    return Number(/PgBouncer 1\.(\d+)/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Whether this machine has a PgBouncer that serves the service; in CI, tests with it fail instead of being skipped. */
export const hasPooler = process.env.CI === 'true' || minorVersion() >= FIRST_MINOR;
