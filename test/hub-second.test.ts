import { afterEach, expect, test } from 'vitest';
import { syncFromHub } from '../src/ingest/hub/requested-sync.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import type { Signed } from '../src/sample/signed-message.js';
import { FakeHub } from './support/fake-hub.js';
import {
  authors,
  hubHashes,
  log,
  openHubFixture,
  type Reading,
  registration,
  storedHashes,
  until,
} from './support/hub-fixture.js';

let reading: Reading;
const hubs: FakeHub[] = [];

const startHub = async (): Promise<FakeHub> => {
  const hub = new FakeHub();
  hubs.push(hub);
  await hub.start();
  return hub;
};

afterEach(async () => {
  await reading.stop();
  for (const hub of hubs.splice(0)) hub.stop();
});

const [alice] = authors(11);
const texts = ['one', 'two', 'three', 'four'];
const casts = texts.map((text) => alice.cast({ text })) as [Signed, Signed, Signed, Signed];
const [one, two, three, four] = casts;

const backfill = (hub: FakeHub, onProgress: (done: number, of: number) => void = () => undefined) =>
  syncFromHub({
    address: hub.address,
    db: reading.db,
    ingest: reading.ingest,
    log,
    onProgress,
    signal: new AbortController().signal,
  });

const follow = async (hub: FakeHub): Promise<void> => {
  reading.start({ address: hub.address });
  await until(async () => {
    const [row] = await reading.db.run<{ count: number }>(
      'select count(finished_at) - 2 * count(*) filter (where finished_at is null) as count from hub_sync where hub = $1',
      [hub.address.address],
    );
    expect(row?.count).toBe(2);
  });
};

/** A hub with all casts, and another one that has reached only the second. */
const openPair = async (): Promise<[FakeHub, FakeHub]> => {
  const [ahead, behind] = [await startHub(), await startHub()];
  reading = await openHubFixture(ahead);
  const first = await registration(alice);
  for (const hub of [ahead, behind]) hub.say(...first, one, two);
  ahead.say(three);
  ahead.say(four);
  return [ahead, behind];
};

const isStored = async (cast: Signed): Promise<boolean> =>
  (await storedHashes(reading.db)).includes(Buffer.from(cast.hash).toString('hex'));

test('a second hub that is behind the first removes nothing', async () => {
  const [ahead, behind] = await openPair();
  await follow(ahead);
  await reading.reader.stop();
  const all = hubHashes(ahead);
  await follow(behind);
  expect(await storedHashes(reading.db)).toEqual(all);
  await reading.reader.stop();
  await backfill(behind);
  expect(await storedHashes(reading.db)).toEqual(all);
});

test('a second hub that has passed the first shows what was removed', async () => {
  const [ahead, behind] = await openPair();
  await follow(behind);
  await reading.reader.stop();
  ahead.prune(one);
  await follow(ahead);
  expect(await storedHashes(reading.db)).toEqual(hubHashes(ahead));
  expect(await isStored(one)).toBe(false);
});

test('a hub that falls behind during a sync removes nothing from then on', async () => {
  const [ahead, behind] = await openPair();
  await follow(behind);
  // The other hub is followed from here on; each account is compared when it is read.
  await reading.reader.stop();
  let release = () => {};
  behind.gates.getFids = new Promise((resolve) => {
    release = resolve;
  });
  const loading = backfill(behind);
  await until(() => expect(behind.calls.getFids).toBeGreaterThan(0));
  await follow(ahead);
  release();
  await loading;
  expect(await storedHashes(reading.db)).toEqual(hubHashes(ahead));
});

test('the first hub removes nothing from what a file brought', async () => {
  const hub = await startHub();
  reading = await openHubFixture(hub);
  const first = await registration(alice);
  hub.say(...first, one);
  const file = [...first, ...casts.map(({ item }) => item)];
  await reading.ingest.submit(file, { source: 'file', announce: false });
  const all = await storedHashes(reading.db);
  await backfill(hub);
  await follow(hub);
  expect(await storedHashes(reading.db)).toEqual(all);
  expect(all.length).toBe(hubHashes(hub).length + 3);
});

test('an empty hub at the address of the first removes nothing', async () => {
  const [hub] = await openPair();
  await follow(hub);
  await reading.reader.stop();
  const all = await storedHashes(reading.db);
  for (const shardLog of hub.state.logs.values()) Object.assign(shardLog, { height: 0, events: [] });
  hub.state.accounts.get(alice.fid)?.messages.clear();
  await backfill(hub);
  expect(await storedHashes(reading.db)).toEqual(all);
});

test('the audit shows messages that a hub behind the store removed, until another hub was read', async () => {
  const [ahead, behind] = await openPair();
  await follow(behind);
  await reading.reader.stop();
  ahead.prune(one);
  // The stream of a hub begins with its newest block.
  ahead.say(alice.cast({ text: 'five' }));
  await follow(ahead);
  await reading.reader.stop();
  expect(await isStored(one)).toBe(false);
  // This removal was right.
  expect(await audit(reading.db)).toEqual([]);
  const [row] = await reading.db.run('select fid, hub, message_count, stored_events from hub_removal');
  expect(row).toMatchObject({ fid: alice.fid, hub: ahead.address.address, message_count: 1 });
  // As if it were of a hub that had not come so far.
  await reading.db.run(`update hub_removal set hub_heights = '{"1": 0}'`);
  expect(await audit(reading.db)).toMatchObject([
    { what: 'hub_removal', where: `${alice.fid} ${ahead.address.address}`, stored: '1 messages removed' },
  ]);
  await backfill(behind);
  expect(await audit(reading.db)).toEqual([]);
});

test('a hub at the address of the first that is behind it is late, and loses nothing when it has passed it', async () => {
  const [hub] = await openPair();
  await follow(hub);
  for (let n = 0; n < 20; n++) hub.tick();
  hub.say(alice.cast({ text: 'five' }));
  await until(async () => expect(await storedHashes(reading.db)).toEqual(hubHashes(hub)));
  await reading.reader.stop();
  // Another log of the same messages, which ends earlier.
  for (const shardLog of hub.state.logs.values()) Object.assign(shardLog, { height: 0, events: [] });
  hub.tick();
  reading.start({ address: hub.address, firstPauseMs: 1, stallTimeoutMs: 500 });
  await until(() => expect(reading.reader.state().hubBehind).toBeGreaterThan(10));
  hub.say(alice.cast({ text: 'said at a height that was already read' }));
  for (let n = 0; n < 60; n++) hub.tick();
  await until(async () => expect(await storedHashes(reading.db)).toEqual(hubHashes(hub)));
  await until(() =>
    expect(reading.reader.state()).toMatchObject({ hubBehind: 0, connected: true, backfill: undefined }),
  );
  expect(await audit(reading.db)).toEqual([]);
});

test('a height that the hub gave before it sent more is no sign of another log', async () => {
  const [hub] = await openPair();
  await follow(hub);
  const stored = async () => expect(await storedHashes(reading.db)).toEqual(hubHashes(hub));
  await until(stored);
  let release = () => {};
  hub.gates.getInfo = new Promise((resolve) => {
    release = resolve;
  });
  const asked = hub.calls.getInfo ?? 0;
  hub.stop();
  await hub.start();
  // Connected again, the reader asks for the height of both shards, and the answers are late.
  await until(() => expect([hub.calls.getInfo, hub.listeners]).toEqual([asked + 2, 2]));
  const logs = [...hub.state.logs.values()];
  const early = logs.map(({ height }) => height);
  hub.tick();
  hub.say(alice.cast({ text: 'six' }));
  await until(stored);
  const late = logs.map(({ height }) => height);
  const setHeights = (heights: readonly number[]) => {
    for (const [n, one] of logs.entries()) Object.assign(one, { height: heights[n] });
  };
  setHeights(early);
  release();
  await until(() => expect(reading.reader.state().connected).toBe(true));
  setHeights(late);
  hub.tick();
  hub.say(alice.cast({ text: 'seven' }));
  await until(stored);
  expect([reading.counts.gaps, reading.reader.state().hubBehind]).toEqual([0, 0]);
});
