import { delay } from '../test/support/delay.js';
import { until } from '../test/support/hub-fixture.js';
import { testFault } from './provoke.js';

const LASTS_MS = 10_000;

testFault({
  title: 'The hub is away for ten seconds',
  times: 5,
  provoke: async ({ hub }) => {
    hub.stop();
    await delay(LASTS_MS);
    await hub.start();
  },
});

testFault({
  title: 'The streams of the hub stand still without an end',
  times: 3,
  limitMs: 180_000,
  provoke: async ({ hub }) => {
    const before = hub.calls.subscribe ?? 0;
    hub.stall();
    await until(() => (hub.calls.subscribe ?? 0) > before);
  },
});

testFault({
  title: 'The hub sends its newest 100 events twice',
  times: 20,
  provoke: async ({ hub }) => hub.repeat(100),
});

testFault({
  title: 'The hub sends bytes that are no events',
  times: 20,
  provoke: async ({ hub }) => hub.garbage(Buffer.from('ffffffff', 'hex')),
});

testFault({
  title: 'The hub breaks its streams in the middle of a block',
  times: 20,
  provoke: async ({ hub }) => {
    hub.cutAfter = 1;
    while (hub.cutAfter === 1) await delay(50);
    await hub.start();
  },
});

testFault({
  title: 'The hub leaves out events for two seconds',
  times: 5,
  limitMs: 180_000,
  provoke: async ({ hub }) => {
    hub.losing = true;
    await delay(2_000);
    hub.losing = false;
  },
});

testFault({
  title: 'Another hub with the same messages and a shorter log takes the place of the hub',
  times: 3,
  isFreshEach: true,
  provoke: (world) => world.exchangeHub(0),
});

testFault({
  title: 'Another hub with the same messages and a log longer by 1,000 blocks takes the place of the hub',
  times: 5,
  provoke: (world, n) => world.exchangeHub(1_000 * (n + 1)),
});
