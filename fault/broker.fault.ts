import { afterAll, beforeAll } from 'vitest';
import { delay } from '../test/support/delay.js';
import { NatsServer } from '../test/support/nats.js';
import { testFault } from './provoke.js';

const LASTS_MS = 4_000;
const nats = await NatsServer.make();
beforeAll(() => nats.start());
afterAll(() => nats.stop());

testFault({
  title: 'The broker of events (NATS) is killed (`kill -9`), and started again after four seconds',
  times: 10,
  plan: { environment: { CASTELLAN_EVENT_SINK: `${nats.url}/castellan` } },
  provoke: async () => {
    await nats.kill();
    await delay(LASTS_MS);
    await nats.start();
  },
});
