import pg from 'pg';
import { expect } from 'vitest';
import { delay } from '../test/support/delay.js';
import { until } from '../test/support/hub-fixture.js';
import { testFault } from './provoke.js';

const MAX_CONNECTIONS = 40;
const LASTS_MS = 5_000;
const NAME = 'another program';

/** Closes all connections but its own, and takes as many as it gets. @returns how many others are left */
const takeAll = async (url: string, taken: pg.Client[]): Promise<number> => {
  const [first] = taken;
  const others = 'from pg_stat_activity where datname = current_database() and application_name <> $1';
  await first?.query(`select pg_terminate_backend(pid) ${others}`, [NAME]);
  const connect = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url, application_name: NAME });
    client.on('error', () => undefined);
    await client.connect();
    taken.push(client);
  };
  await Promise.allSettled(Array.from({ length: MAX_CONNECTIONS - taken.length }, connect));
  const { rows } = (await taken[0]?.query(`select count(*)::int as n ${others}`, [NAME])) ?? { rows: [{ n: 1 }] };
  return rows[0].n;
};

testFault({
  title: 'Another program has all connections of the server for five seconds, the service none',
  times: 5,
  plan: { cluster: { settings: [`max_connections=${MAX_CONNECTIONS}`, 'superuser_reserved_connections=0'] } },
  provoke: async ({ primary }) => {
    const taken: pg.Client[] = [];
    await until(async () => expect(await takeAll(primary.url, taken)).toBe(0));
    await delay(LASTS_MS);
    await Promise.all(taken.map((one) => one.end()));
  },
});
