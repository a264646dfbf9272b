import { OnChainEventType } from '@farcaster/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnoseRefused } from '../src/cli/diagnose/refused.js';
import { submitWithRetry } from '../src/ingest/hub/submit-retry.js';
import { retryRefused } from '../src/ingest/pipeline/refused-item-retry.js';
import { createMetrics } from '../src/metric.js';
import { selectHubPosition } from '../src/store/hub/position.js';
import { selectRefusedItemCount, selectRefusedItems } from '../src/store/protocol/refused-item.js';
import { FakeHub } from './support/fake-hub.js';
import {
  authors,
  expectSame,
  log,
  openHubFixture,
  type Reading,
  registration,
  storedHashes,
  until,
  waitUntilSynced,
} from './support/hub-fixture.js';
import { setReadOnly } from './support/read-only.js';

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

const { signal } = new AbortController();
const retryAll = () => retryRefused(reading, { signal });

/** Makes PostgreSQL refuse every cast whose text says so, as a constraint does. */
const rejectCasts = () => reading.db.run(`alter table "cast" add constraint no_poison check (text not like 'poison%')`);
const takeCasts = () => reading.db.run('alter table "cast" drop constraint no_poison');

/** Makes PostgreSQL refuse the events of an account by what a trigger raises. */
const rejectOnchainEvents = async (fid: number) => {
  await reading.db.script(`
    create function refuse_event() returns trigger language plpgsql as $$
      begin if new.fid = ${fid} and new.type = ${OnChainEventType.EVENT_TYPE_SIGNER} then raise 'not this one'; end if; return new; end $$;
    create trigger refuse_event before insert on onchain_event for each row execute function refuse_event();`);
};

test('an item that the database refuses is kept, others flow on, and it is stored once the cause is gone', async () => {
  const [alice, bob] = authors(101, 102);
  for (const account of [alice, bob]) hub.say(...(await registration(account)));
  reading.start({ firstPauseMs: 10 });
  await expectSame(reading.db, hub);
  await waitUntilSynced(reading.db);
  await rejectCasts();
  const before = Array.from({ length: 3 }, (_, n) => alice.cast({ text: `before ${n}` }));
  const poison = alice.cast({ text: 'poison' });
  const after = Array.from({ length: 3 }, (_, n) => bob.cast({ text: `after ${n}`, parent: poison }));
  hub.say(...before, poison, ...after);
  hub.say(bob.cast({ text: 'much later' }));
  await until(async () => expect(await selectRefusedItemCount(reading.db)).toBe(1));
  await until(async () => expect(await storedHashes(reading.db)).toHaveLength(hub.state.all().length - 1));

  const [kept, ...others] = await selectRefusedItems(reading.db, 0, 10);
  expect(others).toEqual([]);
  expect(kept).toMatchObject({ kind: 'message', fid: 101, source: 'hub', sqlstate: '23514', attempts: 1 });
  expect(Buffer.compare(kept?.body as Uint8Array, poison.wire)).toBe(0);
  for (const shard of hub.state.shards) {
    await until(async () =>
      expect(await selectHubPosition(reading.db, hub.address.address, shard)).toBe(hub.headId(shard)),
    );
  }
  expect(await diagnoseRefused(async () => reading.db)).toMatchObject([
    { result: 'warn', text: expect.stringContaining('no_poison') },
  ]);
  const metrics = createMetrics(reading.db.load, () => selectRefusedItemCount(reading.db));
  await expect.poll(() => metrics.registry.metrics()).toContain('castellan_refused_items 1');

  expect(await retryAll()).toEqual({ stored: 0, refused: 1 });
  expect((await selectRefusedItems(reading.db, 0, 10))[0]).toMatchObject({ attempts: 2, sqlstate: '23514' });
  await takeCasts();
  expect(await retryAll()).toEqual({ stored: 1, refused: 0 });
  await expectSame(reading.db, hub);
  expect(await selectRefusedItemCount(reading.db)).toBe(0);
  expect(await diagnoseRefused(async () => reading.db)).toMatchObject([{ result: 'ok' }]);
  // The event log tells of it, as it would have when it came.
  const events = await reading.db.run<{ type: number }>('select type from hub_event where fid = 101 order by id');
  expect(events.at(-1)?.type).toBe(1);
});

test('messages of a key whose registration is refused are kept with it, and stored by a retry', async () => {
  const [alice] = authors(111);
  await rejectOnchainEvents(alice.fid);
  reading.start({ firstPauseMs: 10 });
  await until(() => expect(reading.reader.state().connected).toBe(true));
  await waitUntilSynced(reading.db);
  hub.say(...(await registration(alice)), alice.cast({ text: 'hello' }));
  hub.say(alice.cast({ text: 'later' }));
  await until(async () => expect(await selectRefusedItemCount(reading.db)).toBe(5));
  const kinds = (await selectRefusedItems(reading.db, 0, 10)).map(({ kind, sqlstate }) => [kind, sqlstate]);
  expect(kinds).toEqual([['onchain', 'P0001'], ...Array.from({ length: 4 }, () => ['message', null])]);
  await reading.db.script('drop trigger refuse_event on onchain_event; drop function refuse_event');
  expect(await retryAll()).toEqual({ stored: 5, refused: 0 });
  await expectSame(reading.db, hub);
});

test('messages of an account that the hub does not tell of are kept', async () => {
  const [alice] = authors(121);
  reading.start({ firstPauseMs: 10 });
  await until(() => expect(reading.reader.state().connected).toBe(true));
  await waitUntilSynced(reading.db);
  hub.refused.add(alice.fid);
  const account = await registration(alice);
  hub.losing = true;
  hub.state.merge(account);
  hub.losing = false;
  await reading.reader.stop();
  hub.pruneLog();
  reading.start({ firstPauseMs: 10 });
  const cast = alice.cast({ text: 'from somebody unknown' });
  hub.say(cast);
  await until(async () =>
    expect(await selectRefusedItems(reading.db, 0, 10)).toMatchObject([{ kind: 'message', fid: 121, sqlstate: null }]),
  );
  hub.refused.clear();
  await reading.ingest.submit(account, { source: 'backfill', announce: false });
  expect(await retryAll()).toEqual({ stored: 1, refused: 0 });
  await expectSame(reading.db, hub);
});

test('an item is not refused while the database takes no writes, whatever it says of the item', async () => {
  const [alice] = authors(131);
  const account = await registration(alice);
  await reading.ingest.submit(account, { source: 'file', announce: false });
  await rejectCasts();
  const items = [alice.cast({ text: 'fine' }).item, alice.cast({ text: 'poison' }).item];
  const waited: unknown[] = [];
  await setReadOnly(reading.database, true);
  const policy = { signal, log, firstPauseMs: 10, onWait: (error: unknown) => waited.push(error) };
  const stored = submitWithRetry(reading.ingest, items, { source: 'file', announce: false }, policy);
  await until(() => expect(waited.length).toBeGreaterThan(3));
  await setReadOnly(reading.database, false);
  const { outcomes, refused } = await stored;
  expect(refused).toBe(1);
  expect(outcomes.map((outcome) => outcome?.status)).toEqual(['merged', undefined]);
  expect(await selectRefusedItems(reading.db, 0, 10)).toMatchObject([{ source: 'file', announce: false, fid: 131 }]);
  await takeCasts();
});
