/**
 * Runs tests on a PostgreSQL server, TEST_DATABASE_URL, to which the services of the tests connect through PgBouncer in
 * transaction mode:
 *
 *   tsx scripts/with-pooler.ts test/freshness.test.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { startPooler } from '../test/support/pooler.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';

process.env.TMPDIR ??= temporaryFolder(tmpdir());
const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const pooler = await startPooler(server);
try {
  const environment = { TEST_DATABASE_URL: server, TEST_POOLER_URL: pooler.url };
  const tests = spawn('npx', ['vitest', 'run', ...process.argv.slice(2)], {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const [code] = await once(tests, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await pooler.remove();
}
