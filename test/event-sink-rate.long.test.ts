import { afterAll, expect, test } from 'vitest';
import { makeNats, metric, readLog, startService, stopAll } from './support/event-sink.js';
import { hasNats } from './support/nats-path.js';

const CASTS = Number(process.env.CASTELLAN_TEST_EVENTS ?? 3_000);
/** The public network has some hundreds of messages a second. */
const ENOUGH = 500;

afterAll(stopAll);

test.runIf(hasNats)(
  'a broker catches up several times as fast as the public network writes',
  { timeout: 300_000 },
  async () => {
    const server = await makeNats();
    await server.start();
    const { network, seeded } = await startService(server.url);
    for (let sent = 0; sent < CASTS; sent += 500) {
      await seeded.send(...Array.from({ length: 500 }, (_, n) => seeded.erin.cast({ text: `cast ${sent + n}` })));
    }
    const text = 'the last one';
    await seeded.send(seeded.erin.cast({ text }));
    const sentTotal = () => metric(network, 'castellan_event_sink_sent_total');
    await expect.poll(() => server.last()).toContain(text);
    const before = (await sentTotal()) ?? 0;

    const began = performance.now();
    const client = await readLog(network);
    await expect.poll(() => client.events.at(-1)?.data.text, { interval: 10 }).toBe(text);
    const streamRate = client.events.length / ((performance.now() - began) / 1000);
    client.close();

    // From the beginning of the log to another place.
    await server.manage(({ streams }) => streams.delete('castellan'));
    await network.sql('update event_sink set log_id = 0, part = null');
    await seeded.send(seeded.dan.cast({ text: 'once more' }));
    await expect.poll(async () => ((await sentTotal()) ?? 0) - before, { interval: 10 }).toBeGreaterThan(100);
    const [start, first] = [performance.now(), (await sentTotal()) ?? 0];
    await expect.poll(async () => ((await sentTotal()) ?? 0) - before, { interval: 10 }).toBe(client.events.length + 1);
    const brokerRate = (client.events.length + 1 - (first - before)) / ((performance.now() - start) / 1000);
    console.log(`events a second: ${Math.round(streamRate)} to a stream, ${Math.round(brokerRate)} to the broker`);
    expect(brokerRate).toBeGreaterThan(ENOUGH);
  },
);
