import pg from 'pg';
import type { Cluster } from '../test/support/cluster.js';
import { delay } from '../test/support/delay.js';
import { testFault } from './provoke.js';

const LASTS_MS = 4_000;
const plan = { standbys: 2, hasReplicas: true } as const;

testFault({
  title: 'A replica stops replaying the log for four seconds',
  times: 10,
  plan,
  provoke: async ({ standbys }, n) => {
    const client = new pg.Client({ connectionString: (standbys[n % 2] as Cluster).url });
    await client.connect();
    await client.query('select pg_wal_replay_pause()');
    await delay(LASTS_MS);
    await client.query('select pg_wal_replay_resume()');
    await client.end();
  },
});

testFault({
  title: 'A replica is killed (`kill -9`), and started again after four seconds',
  times: 10,
  plan,
  provoke: async ({ standbys }, n) => {
    const replica = standbys[n % 2] as Cluster;
    replica.kill();
    await delay(LASTS_MS);
    await replica.start();
  },
});
