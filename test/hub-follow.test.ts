import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { eventIdOf } from '../src/protocol/event/place.js';
import { freePort } from './support/castellan.js';
import { openHubFixture, type Reading, until, waitUntilSynced } from './support/hub-fixture.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { messagesInForce, provenNames } from './support/stored-state.js';

let network: Network;
let seeded: Seeded;
let reading: Reading;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_PUBLIC_READS: 'hub' }, undefined, { hubRpc: {} });
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  reading = await openHubFixture({ address: { address: network.hubRpc, tls: false } });
  reading.start();
});
afterAll(async () => {
  await reading?.stop();
  await network.stop();
});

const submit = async (...items: IngestItem[]): Promise<void> => {
  const report = await network.app.core.ingest.submit(items, { source: 'local', announce: true });
  expect(report.invalid).toEqual({});
};

/** Waits until the reader has the same messages, and nothing else. */
const expectSame = async (): Promise<string[]> => {
  const { db } = network.app.core;
  await until(async () => expect(await messagesInForce(reading.db)).toEqual(await messagesInForce(db)));
  expect(await provenNames(reading.db)).toEqual(await provenNames(db));
  return messagesInForce(db);
};

test('another service has all that this one had before, and all that happens then', async () => {
  const before = await expectSame();
  expect(before.length).toBeGreaterThan(50);
  const { alice, bob, carol, dan, heidi } = seeded;
  const cast = alice.cast({ text: 'here for a moment' });
  await submit(
    ...[cast, bob.react('like', cast), carol.follow(bob.fid), heidi.follow(bob.fid), heidi.unfollow(dan.fid)].map(
      ({ item }) => item,
    ),
    alice.rent(1),
  );
  const during = await expectSame();
  expect(during).not.toEqual(before);
  await submit(
    ...[
      alice.removeCast(cast.hash),
      bob.unreact('like', cast),
      alice.removeVerification(0, alice.wallet(1).address),
      heidi.compactLinks('follow', [FIDS.alice]),
      heidi.compactLinks('follow', [FIDS.alice, FIDS.bob]),
      heidi.cast({ text: 'Read by two services' }),
    ].map(({ item }) => item),
  );
  const after = await expectSame();
  expect(after).not.toEqual(during);
  expect(await audit(reading.db)).toEqual([]);
  expect(await audit(network.app.core.db)).toEqual([]);
});

test('a service that was emptied takes nothing from the one that follows it', async () => {
  const port = await freePort();
  const first = await startNetwork({ CASTELLAN_PUBLIC_READS: 'hub' }, undefined, { hubRpc: { port } });
  await seedBasics((items) => first.app.core.ingest.submit(items, { source: 'hub', announce: true }));
  const follower = await openHubFixture({ address: { address: first.hubRpc, tls: false } });
  try {
    follower.start();
    const all = await messagesInForce(first.app.core.db);
    await until(async () => expect(await messagesInForce(follower.db)).toEqual(all));
    const [row] = await first.sql<{ newest: number }>('select max(id) as newest from hub_event');
    const position = async () =>
      (await follower.db.run<{ id: number }>('select max(event_id) as id from hub_position'))[0]?.id;
    await until(async () => expect(await position()).toBe(eventIdOf(row?.newest ?? 0)));
    await first.stop();
    const second = await startNetwork({ CASTELLAN_PUBLIC_READS: 'hub' }, undefined, { hubRpc: { port } });
    await until(() => follower.counts.gaps > 0);
    await waitUntilSynced(follower.db);
    expect(await messagesInForce(follower.db)).toEqual(all);
    // What happens there is read from now on.
    const { alice } = await seedBasics(async () => undefined);
    const items = [alice.register(), alice.rent(1), await alice.addSigner(), alice.cast({ text: 'anew' }).item];
    await second.app.core.ingest.submit(items, { source: 'hub', announce: true });
    await until(async () => expect(await messagesInForce(follower.db)).toHaveLength(all.length + 1));
    await second.stop();
  } finally {
    await follower.stop();
  }
}, 120_000);
