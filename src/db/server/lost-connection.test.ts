import pg from 'pg';
import { expect, test } from 'vitest';
import { isDatabaseUnavailable } from '../failure.js';
import { serverClientType } from './client.js';
import { ServerConnections } from './connections.js';
import { askServer } from './lost-connection.js';

test('while the certificate is not there, nobody can know what the server does', async () => {
  const client = new pg.Client({ host: '127.0.0.1', port: 5432 });
  const connectionString = 'postgres://postgres@127.0.0.1:5432/postgres?sslrootcert=/absent/root.crt';
  expect(await askServer(client, { connectionString })).toBe('working');
});

test('a pool outlives the loss of the certificate', async () => {
  const connectionString = 'postgres://postgres@127.0.0.1:5432/postgres?sslrootcert=/absent/root.crt';
  const pool = new pg.Pool({ connectionString, Client: serverClientType(new ServerConnections()) });
  const failures = await Promise.allSettled([pool.query('select 1'), pool.query('select 1')]);
  for (const one of failures) {
    expect(one).toMatchObject({ reason: { cause: { code: 'ENOENT' } } });
    expect(isDatabaseUnavailable((one as PromiseRejectedResult).reason)).toBe(true);
  }
  await pool.end();
});
