import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { selectHubPosition } from '../src/store/hub-position.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, expectSame, openReading, type Reading, registration, until, untilCompared } from './support/hub-reading.js';
import { setReadOnly } from './support/read-only.js';

let hub: FakeHub;
let reading: Reading;

afterEach(async () => {
  await reading.stop();
  hub.stop();
});

test('a hub stream loses nothing while the database is read-only, and goes on when it takes writes again', async () => {
  hub = new FakeHub();
  await hub.start();
  reading = await openReading(hub);
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const attempts = () => lines.filter((line) => line.includes('"items":')).length;
  const [alice] = authors(51);
  hub.say(...(await registration(alice)));
  reading.start({ log });
  await expectSame(reading.db, hub);
  await untilCompared(reading.db);
  const shard = hub.state.shardOf(alice.fid);
  const position = () => selectHubPosition(reading.db, hub.address.address, shard);
  const before = await position();

  await setReadOnly(reading.database, true);
  hub.say(alice.cast({ text: 'a batch of its own' }));
  await until(() => expect(attempts()).toBeGreaterThan(0));
  for (let n = 0; attempts() < 5; n++) {
    hub.say(alice.cast({ text: `said while nothing can be written ${n}` }));
    await wait(20);
  }
  expect(await position()).toBe(before);
  // Connections that were opened while the database was read-only stay open: a failover does not cut them.
  await setReadOnly(reading.database, false);
  await expectSame(reading.db, hub);
});
