/**
 * Runs tests on a PostgreSQL server, TEST_DATABASE_URL, to which the services of the tests connect through PgBouncer in
 * transaction mode:
 *
 *   tsx scripts/with-pooler.ts test/freshness.test.ts
 */
import { tmpdir } from 'node:os';
import { startPooler } from '../test/support/pooler.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { runTests } from './run-tests.js';

process.env.TMPDIR ??= temporaryFolder(tmpdir());
const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const pooler = await startPooler(server);
try {
  await runTests({ TEST_DATABASE_URL: server, TEST_POOLER_URL: pooler.url });
} finally {
  await pooler.remove();
}
