import { spawnSync } from 'node:child_process';

/** Whether this machine has the server; in CI, tests with it fail instead of being skipped. */
export const hasNats: boolean =
  process.env.CI === 'true' || spawnSync('nats-server', ['--version'], { stdio: 'ignore' }).status === 0;
