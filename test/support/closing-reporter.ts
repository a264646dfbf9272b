import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { withoutDuckdb } from '../analytics/duckdb.js';
import { withoutHelm } from '../chart/helm.js';
import { withoutPrograms } from '../compatibility/programs.js';
import { hasBrowser } from './browser-path.js';
import { hasNats } from './nats-path.js';
import { hasPooler } from './pooler-path.js';
import { hasRedis } from './redis.js';

/** What this machine lacks, and what brings it. */
const lacking = (): readonly string[] => [
  ...(process.env.TEST_DATABASE_URL === undefined
    ? ['tests of a PostgreSQL server: TEST_DATABASE_URL=postgres://user:password@127.0.0.1:5432/postgres npm test']
    : []),
  ...(hasBrowser ? [] : ['tests in a browser: sudo apt-get install chromium']),
  ...(withoutPrograms ? ['tests of programs of the field: npm ci --prefix test/compatibility/programs'] : []),
  ...(withoutHelm ? ['tests of the chart for Kubernetes: npm ci --prefix test/chart/programs'] : []),
  ...(withoutDuckdb ? ['tests of exported tables in DuckDB: npm ci --prefix test/analytics/programs'] : []),
  ...(hasRedis ? [] : ['tests with Redis: sudo apt-get install redis-server, or set TEST_REDIS_URL']),
  ...(hasNats ? [] : ['tests with a broker: sudo apt-get install nats-server']),
  ...(process.env.CASTELLAN_TEST_TIER === 'long'
    ? hasPooler
      ? []
      : ['tests with a pooler: PgBouncer 1.21 or newer, see scripts/newer-pgbouncer.sh']
    : ['long tests (commands, crashes, documents): npm run test:long']),
];

/**
 * Says at the end of a run which tests were left out and how to run them. Where `CASTELLAN_TEST_COUNTS` names a file, the
 * numbers of passed, failed and skipped tests are added to it as a line, for the sum over several runs.
 */
export const closingReporter: Reporter = {
  onTestRunEnd: (modules: readonly TestModule[]) => {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      let failed = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'pending') continue;
        count[state] += 1;
        if (state === 'failed') failed += 1;
      }
      // A module that could not be loaded, or whose hooks failed, has no failed test.
      if (module.state() === 'failed' && failed === 0) count.failed += 1;
    }
    if (process.env.CASTELLAN_TEST_COUNTS)
      appendFileSync(process.env.CASTELLAN_TEST_COUNTS, `${count.passed} ${count.failed} ${count.skipped}\n`);
    if (count.skipped > 0)
      console.log(
        `Left out here:\n${lacking()
          .map((line) => `  ${line}`)
          .join('\n')}\n`,
      );
  },
};
