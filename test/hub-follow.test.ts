import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { openHubFixture, type Reading, until } from './support/hub-fixture.js';
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
