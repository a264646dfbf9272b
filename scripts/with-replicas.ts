/**
 * Runs tests on a PostgreSQL server of their own with two replicas, from which the services of the tests read, and which
 * replay the log late:
 *
 *   tsx scripts/with-replicas.ts test/freshness.test.ts
 */
import { tmpdir } from 'node:os';
import { startCluster, startStandby } from '../test/support/cluster.js';
import { delayReplay } from '../test/support/replay-delay.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { runTests } from './run-tests.js';

process.env.TMPDIR ??= temporaryFolder(tmpdir());
const primary = await startCluster();
const replicas = [await startStandby(primary), await startStandby(primary)];
const ends = replicas.map(({ url }) => delayReplay(url));
try {
  await runTests({ TEST_DATABASE_URL: primary.url, TEST_READ_URL: replicas.map(({ url }) => url).join(' ') });
} finally {
  await Promise.all(ends.map((end) => end()));
  for (const one of [...replicas, primary]) await one.remove();
}
