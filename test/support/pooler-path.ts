import { execFileSync } from 'node:child_process';

/** The first version of PgBouncer that keeps prepared statements apart in transaction mode is 1.21. */
const FIRST_MINOR = 21;

const isNewEnough = (): boolean => {
  try {
    const output = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' });
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(output) ?? [];
    return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= FIRST_MINOR);
  } catch {
    return false;
  }
};

/** Whether this machine has a PgBouncer that serves the service; in CI, tests with it fail instead of being skipped. */
export const hasPooler = process.env.CI === 'true' || isNewEnough();
