import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../../test/support/castellan.js';
import { openPostgres } from '../postgres.js';
import { inspectReplica } from './inspect.js';
import { ReplicaPool } from './pool.js';

let pool: ReplicaPool;
afterEach(() => pool.stop());

const open = (url: string): void => {
  const connections = { readers: 1, slowReaders: 1, searchers: 1, poolSize: 1 };
  pool = new ReplicaPool({
    urls: [url],
    connections,
    primary: openPostgres({ url, ...connections }),
    selectPosition: async () => ({ position: 1, timeline: '00000001', cluster: '1/1' }),
    moment: () => 0,
    around: (_, send) => send(),
    sent: () => undefined,
    fellBack: () => undefined,
    changed: () => undefined,
  });
  pool.start();
};

test('the state of a replica on a closed port says why', async () => {
  const port = await freePort();
  open(`postgres://postgres@127.0.0.1:${port}/postgres`);
  await expect
    .poll(() => pool.states()[0])
    .toMatchObject({
      name: `127.0.0.1:${port}`,
      problem: 'does not answer',
      failure: { code: 'ECONNREFUSED' },
    });
});

test('a certificate that is not there is a problem of the replica, and of nothing else', async () => {
  const url = 'postgres://postgres@127.0.0.1:5432/postgres?sslmode=verify-full&sslrootcert=/absent/root.crt';
  open(url);
  const name = '127.0.0.1:5432';
  const cause = { code: 'ENOENT' };
  await expect.poll(() => pool.states()[0]).toMatchObject({ name, failure: { cause } });
  expect(await inspectReplica(url)).toMatchObject({ name, failure: cause });
});
