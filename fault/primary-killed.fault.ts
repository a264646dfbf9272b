import { join } from 'node:path';
import { expect } from 'vitest';
import { castellan } from '../test/support/castellan.js';
import type { Cluster } from '../test/support/cluster.js';
import { delay } from '../test/support/delay.js';
import { testFault } from './provoke.js';

/** Milliseconds until an operator, or a program like Patroni, decides that the primary is gone. */
const DECISION_MS = 2_000;

let promoted: Cluster;

testFault({
  title:
    'The primary is killed (`kill -9`), and one of its two standbys, which are read from, promoted two seconds later',
  times: 20,
  isFreshEach: true,
  gapSeconds: 10,
  limitMs: 180_000,
  plan: { standbys: 2, hasReplicas: true, processes: 'each role' },
  provoke: async (world) => {
    world.primary.kill();
    await delay(DECISION_MS);
    promoted = await world.furthestStandby();
    await promoted.promote();
  },
  // Commands that read the addresses of all servers find the primary, too.
  after: async ({ environment }) => {
    const doctor = await castellan(['doctor'], environment);
    expect(doctor.out).toContain(`at 127.0.0.1:${promoted.port}`);
    expect(await castellan(['migrate'], environment)).toMatchObject({ code: 0 });
    const folder = join(environment.CASTELLAN_DATA_DIR as string, 'installation');
    const choices = ['--domain', 'castellan.example', '--hub', 'none', '--proxy', 'none', '--run', 'none'];
    const database = ['--database', environment.DATABASE_URL as string];
    expect(await castellan(['init', '--folder', folder, ...database, ...choices], {})).toMatchObject({
      code: 0,
      err: '',
    });
  },
});

testFault({
  title: 'The primary is killed (`kill -9`) under one process of all roles, and its standby promoted two seconds later',
  times: 3,
  isFreshEach: true,
  gapSeconds: 10,
  limitMs: 180_000,
  plan: { standbys: 1 },
  provoke: async (world) => {
    world.primary.kill();
    await delay(DECISION_MS);
    await (await world.furthestStandby()).promote();
    await world.runsJobs();
  },
});
