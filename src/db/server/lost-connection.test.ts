import pg from 'pg';
import { expect, test } from 'vitest';
import { askServer } from './lost-connection.js';

test('while the certificate is not there, nobody can know what the server does', async () => {
  const client = new pg.Client({ host: '127.0.0.1', port: 5432 });
  const connectionString = 'postgres://postgres@127.0.0.1:5432/postgres?sslrootcert=/absent/root.crt';
  expect(await askServer(client, { connectionString })).toBe('working');
});
