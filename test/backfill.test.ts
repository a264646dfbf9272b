import { afterEach, expect, test } from 'vitest';
import { syncFromHub } from '../src/ingest/hub/requested-sync.js';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Signed } from '../src/sample/signed-message.js';
import { FAILED_FIDS } from '../src/store/hub/sync.js';
import { FakeHub } from './support/fake-hub.js';
import {
  authors,
  expectSame,
  hubHashes,
  log,
  openHubFixture,
  type Reading,
  registration,
  storedHashes,
  until,
  waitUntilSynced,
} from './support/hub-fixture.js';

let hub: FakeHub;
let reading: Reading;

const open = async (): Promise<void> => {
  hub = new FakeHub();
  hub.pageLimit = 3;
  await hub.start();
  reading = await openHubFixture(hub);
};

afterEach(async () => {
  await reading.stop();
  hub.stop();
});

const load = (options: { fids?: number[]; signal?: AbortSignal; onProgress?: (done: number, of: number) => void }) =>
  syncFromHub({
    address: hub.address,
    db: reading.db,
    ingest: reading.ingest,
    log,
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...options,
  });

/** Accounts 1 to `count` that follow and like each other. */
const network = async (count: number): Promise<void> => {
  const accounts = authors(...Array.from({ length: count }, (_, index) => index + 1));
  const casts: Signed[] = [];
  for (const account of accounts) {
    const cast = account.cast({ text: `I am ${account.fid}` });
    const follows = accounts.filter(({ fid }) => fid !== account.fid).map(({ fid }) => account.follow(fid));
    hub.say(
      ...(await registration(account)),
      cast,
      ...follows.slice(0, 7),
      ...casts.map((c) => account.react('like', c)),
    );
    hub.say(account.unfollow(account.fid === 1 ? 2 : 1), account.compactLinks('block', [count + 1]));
    casts.push(cast);
  }
};

test('all accounts are loaded page by page, registration first', async () => {
  await open();
  await network(9);
  const seen: [number, number][] = [];
  const { refused } = await load({ onProgress: (done, of) => seen.push([done, of]) });
  expect(refused).toBe(0);
  expect(seen.at(-1)).toEqual([9, 9]);
  expect(seen[0]?.[0]).toBe(0);
  await expectSame(reading.db, hub);
  const [names] = await reading.db.run<{ named: number }>(
    "select count(*) named from account where username = 'user' || fid",
  );
  expect(names?.named).toBe(9);
});

test('an interrupted load resumes with the remaining accounts', async () => {
  await open();
  await network(30);
  const stop = new AbortController();
  const stopped = load({ signal: stop.signal, onProgress: (done) => done >= 10 && stop.abort() });
  await expect(stopped).rejects.toThrow();
  const [row] = await reading.db.run<{ done: number }>('select count(*) done from hub_fid');
  expect(row?.done).toBeGreaterThanOrEqual(9);
  hub.requestedFids.length = 0;
  let left = Number.NaN;
  await load({
    onProgress: (done, of) => {
      left = of - done;
    },
  });
  expect(new Set(hub.requestedFids).size).toBe(30 - (row?.done ?? 0));
  expect(left).toBe(0);
  await expectSame(reading.db, hub);
  // A finished load starts over.
  hub.requestedFids.length = 0;
  await load({});
  expect(new Set(hub.requestedFids).size).toBe(30);
});

test('only the named accounts are loaded; one that the hub fails to return is retried at the next call', async () => {
  await open();
  await network(6);
  hub.refused.add(4);
  expect(await load({ fids: [2, 4, 5] })).toEqual({ refused: 1 });
  const loaded = async () =>
    (await reading.db.run<{ fid: number }>('select distinct fid from "cast" order by fid')).map((row) => row.fid);
  expect(await loaded()).toEqual([2, 5]);
  hub.refused.clear();
  expect(await load({ fids: [2, 4, 5] })).toEqual({ refused: 0 });
  expect(await loaded()).toEqual([2, 4, 5]);
});

test('named accounts are loaded, whatever an earlier call for others left undone', async () => {
  await open();
  await network(6);
  hub.refused.add(4);
  expect(await load({ fids: [2, 4] })).toEqual({ refused: 1 });
  const [alice] = authors(2);
  const missed = alice.cast({ text: 'missed', at: fromUnixMs(Date.now()) });
  hub.say(missed);
  expect(await load({ fids: [2, 3] })).toEqual({ refused: 0 });
  expect(await storedHashes(reading.db)).toContain(Buffer.from(missed.hash).toString('hex'));
  expect(await load({ fids: [4] })).toEqual({ refused: 1 });
});

test('accounts that the hub fails to return are synced on their own, and hold up nothing else', async () => {
  await open();
  await network(6);
  hub.refused.add(4);
  reading.start({ syncPauseMs: 50 });
  const unfinished = async () => {
    const rows = await reading.db.run<{ shard: number }>('select shard from hub_sync where finished_at is null');
    return rows.map(({ shard }) => shard);
  };
  await expect.poll(unfinished, { timeout: 20_000 }).toEqual([FAILED_FIDS]);
  const calls = hub.calls.getFids;
  hub.refused.clear();
  await waitUntilSynced(reading.db);
  await expectSame(reading.db, hub);
  expect(hub.calls.getFids).toBe(calls);
});

test('a hub that fails to list its accounts is asked again, and its streams go on', async () => {
  await open();
  await network(3);
  hub.failing.add('getFids');
  reading.start({ syncPauseMs: 50 });
  await expect.poll(() => hub.calls.getFids, { timeout: 20_000 }).toBeGreaterThan(2);
  const [alice] = authors(11);
  hub.say(...(await registration(alice)));
  const cast = alice.cast({ text: 'live' });
  hub.say(cast);
  await until(async () => expect(await storedHashes(reading.db)).toContain(Buffer.from(cast.hash).toString('hex')));
  expect(hub.calls.subscribe).toBe(hub.state.shards.length + 1);
  hub.failing.clear();
  await expectSame(reading.db, hub);
});

test('a stop does not wait for a hub that never answers', async () => {
  await open();
  await network(3);
  hub.gates.getAllCastMessagesByFid = new Promise(() => undefined);
  reading.start();
  await until(() => expect(hub.calls.getAllCastMessagesByFid).toBeGreaterThan(0));
  const before = Date.now();
  await reading.reader.stop();
  expect(Date.now() - before).toBeLessThan(5_000);
});

test('an unavailable hub is reported at once', async () => {
  await open();
  hub.stop();
  await expect(load({})).rejects.toMatchObject({ kind: 'unavailable', code: 'HubUnreachable' });
});

test('a sync during the live stream keeps the changes of the stream', async () => {
  await open();
  const [alice] = authors(11);
  const [pruned, lost, returned] = ['pruned', 'lost', 'returned'].map((text) => alice.cast({ text })) as [
    Signed,
    Signed,
    Signed,
  ];
  hub.say(...(await registration(alice)), pruned, lost, returned);
  reading.start();
  await expectSame(reading.db, hub);
  await waitUntilSynced(reading.db);

  // Events are lost: the hub has one of the three casts, which only the listing of the account shows.
  let release = () => {};
  hub.gates.getAllReactionMessagesByFid = new Promise((resolve) => {
    release = resolve;
  });
  hub.stop();
  hub.tick();
  hub.state.forget(lost.wire);
  hub.state.forget(returned.wire);
  hub.pruneLog();
  hub.requestedFids.length = 0;
  await hub.start();
  hub.tick();
  await until(() => expect(hub.requestedFids).toContain(alice.fid));
  // The casts have been listed; the following events are newer than the list.
  const fresh = alice.cast({ text: 'written meanwhile' });
  hub.prune(pruned);
  hub.say(returned, fresh);
  const hex = (signed: Signed) => Buffer.from(signed.hash).toString('hex');
  await until(async () => expect(await storedHashes(reading.db)).toContain(hex(fresh)));
  expect(await storedHashes(reading.db)).not.toContain(hex(pruned));
  release();
  await waitUntilSynced(reading.db);
  expect(await storedHashes(reading.db)).toEqual(hubHashes(hub));
  expect(hubHashes(hub)).toEqual(expect.arrayContaining([hex(returned), hex(fresh)]));
  expect(hub.requestedFids.filter((fid) => fid === alice.fid)).toHaveLength(1);
});
