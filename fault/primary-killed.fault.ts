import { delay } from '../test/support/delay.js';
import { testFault } from './provoke.js';

/** Milliseconds until an operator, or a program like Patroni, decides that the primary is gone. */
const DECISION_MS = 2_000;

testFault({
  title:
    'The primary is killed (`kill -9`), and one of its two standbys, which are read from, promoted two seconds later',
  times: 20,
  isFreshEach: true,
  plan: { standbys: 2, hasReplicas: true, processes: 'each role' },
  provoke: async (world) => {
    world.primary.kill();
    await delay(DECISION_MS);
    await (await world.furthestStandby()).promote();
  },
});
