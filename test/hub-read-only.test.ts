import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { selectHubPosition } from '../src/store/hub/position.js';
import { FakeHub } from './support/fake-hub.js';
import {
  authors,
  expectSame,
  openHubFixture,
  type Reading,
  registration,
  until,
  waitUntilSynced,
} from './support/hub-fixture.js';
import { setReadOnly, setRejectingWrites } from './support/read-only.js';

let hub: FakeHub;
let reading: Reading;

beforeEach(async () => {
  hub = new FakeHub();
  await hub.start();
  reading = await openHubFixture(hub);
});
afterEach(async () => {
  await reading.stop();
  hub.stop();
});

interface Outage {
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
  /** Whether the database answers reads meanwhile. */
  readonly isReadable: boolean;
}

/** Streams messages while the database stores nothing, and expects all of them afterwards. */
const expectNothingLost = async ({ begin, end, isReadable }: Outage): Promise<void> => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const attempts = () => lines.filter((line) => line.includes('"items":')).length;
  const [alice] = authors(51);
  hub.say(...(await registration(alice)));
  reading.start({ log, firstPauseMs: 10 });
  await expectSame(reading.db, hub);
  await waitUntilSynced(reading.db);
  const position = () => selectHubPosition(reading.db, hub.address.address, hub.state.shardOf(alice.fid));
  const before = await position();

  await begin();
  hub.say(alice.cast({ text: 'a batch of its own' }));
  await until(() => expect(attempts()).toBeGreaterThan(0));
  let said = 0;
  const sayMore = (): number => {
    hub.say(alice.cast({ text: `said while nothing can be written ${said++}` }));
    return attempts();
  };
  await expect.poll(sayMore, { interval: 20 }).toBeGreaterThanOrEqual(5);
  expect(reading.reader.state().lagSeconds).toBeGreaterThan(0);
  if (isReadable) expect(await position()).toBe(before);
  await end();
  await expectSame(reading.db, hub);
  expect(await reading.db.run('select * from refused_item')).toEqual([]);
};

test('a hub stream loses nothing while the database is read-only, and resumes afterwards', () =>
  expectNothingLost({
    begin: () => setReadOnly(reading.database, true),
    end: () => setReadOnly(reading.database, false),
    isReadable: true,
  }));

test.runIf(process.env.TEST_DATABASE_URL)('a hub stream loses nothing while the server rejects connections', () => {
  const url = reading.database.url as string;
  return expectNothingLost({
    begin: () => setRejectingWrites(url, true),
    end: () => setRejectingWrites(url, false),
    isReadable: false,
  });
});
