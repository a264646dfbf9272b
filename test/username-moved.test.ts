import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { openTestDatabase } from './support/database.js';
import { FakeHub } from './support/fake-hub.js';
import { type HubFlow, startHubFlow } from './support/hub-api.js';
import { authors, hubHashes, openHubFixture, registration, storedHashes, until } from './support/hub-fixture.js';
import { openTestIngest } from './support/ingest.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

const namesOf = async (fid: number): Promise<string[]> => {
  const { body } = await hub.get('hub-fetch-user-data', `/v1/userDataByFid?fid=${fid}`);
  const entries = body.messages as { data: { userDataBody: { type: string; value: string } } }[];
  return entries
    .filter(({ data }) => data.userDataBody.type === 'USER_DATA_TYPE_USERNAME')
    .map(({ data }) => data.userDataBody.value);
};

test('a name that moves leaves the profile of its former owner', async () => {
  const { grace, heidi, clock } = hub.seeded;
  const claim = (person: typeof grace) => person.userData(UserDataType.USERNAME, 'mover', clock.tick());
  const submit = async (wire: Uint8Array) => (await hub.post('hub-publish-message', '/v1/submitMessage', wire)).status;
  await hub.submit([await grace.fnameProof('mover', clock.tick())]);
  expect(await submit(claim(grace).wire)).toBe(200);
  expect(await namesOf(grace.fid)).toEqual(['mover']);
  await hub.submit([await heidi.fnameProof('mover', clock.tick())]);
  expect(await namesOf(grace.fid)).toEqual([]);
  expect(await submit(claim(grace).wire)).toBe(400);
  expect(await submit(claim(heidi).wire)).toBe(200);
  expect(await namesOf(heidi.fid)).toEqual(['mover']);
  // A release is a proof for fid 0.
  const released = await heidi.fnameProof('mover', clock.tick());
  if (released.kind !== 'proof') throw new Error('no proof');
  await hub.submit([{ kind: 'proof', proof: { ...released.proof, fid: 0 } }]);
  expect(await namesOf(heidi.fid)).toEqual([]);
  expect(await audit(hub.shell.db)).toEqual([]);
});

test('a name of another account is no name of a file, in any order', async () => {
  const { db, drop } = await openTestDatabase();
  const ingest = openTestIngest(db);
  const [alice, bob] = authors(71, 72);
  const load = (...items: IngestItem[]) => ingest.submit(items, { source: 'file', announce: false });
  const foundation = [alice, bob].flatMap((person) => [person.register(), person.rent(1)]);
  await load(...foundation, await alice.addSigner(), await bob.addSigner());
  const own = [await alice.fnameProof('first'), alice.userData(UserDataType.USERNAME, 'first').item];
  await load(...own);
  const claim = alice.userData(UserDataType.USERNAME, 'second').item;
  // Without any proof a file may claim it: dumps lack proofs.
  expect((await load(claim)).merged).toBe(1);
  await load(await alice.fnameProof('second'), await bob.fnameProof('second'));
  expect(await db.run('select claimed_username from account where fid = 71')).toEqual([{ claimed_username: null }]);
  expect((await load(claim, ...own)).invalid).toEqual({ unknown_name: 1 });
  expect(await db.run('select claimed_username from account where fid = 71')).toEqual([{ claimed_username: 'first' }]);
  expect(await db.run('select count(*) from hub_event')).toEqual([{ count: 0 }]);
  // What an earlier version stored.
  await db.run("update username_proof set fid = 73 where name = 'first'");
  expect((await audit(db)).filter(({ what }) => what === 'account.claimed_username')).toEqual([
    { what: 'account.claimed_username', where: '71', stored: 'first', expected: null },
  ]);
  await drop();
});

test('a sync removes the proof of a name that the hub does not have any more', async () => {
  const source = new FakeHub();
  await source.start();
  const reading = await openHubFixture(source);
  try {
    const [alice] = authors(81);
    source.say(...(await registration(alice)));
    // The stream begins with the newest block, which has no proof.
    source.tick();
    reading.start();
    await until(async () => expect(await storedHashes(reading.db)).toEqual(hubHashes(source)));
    await until(async () => {
      const open = await reading.db.run('select 1 from hub_sync where finished_at is null');
      return open.length === 0;
    });
    await reading.reader.stop();
    // The name was released while the events were lost.
    source.state.account(alice.fid).proofs.clear();
    source.tick();
    await reading.db.run("update hub_sync set finished_at = null, reason = 'gap', requested_at = clock_timestamp()");
    reading.start();
    await until(async () => expect(await reading.db.run('select name from username_proof')).toEqual([]));
    const [row] = await reading.db.run<{ username: string | null }>('select username from account where fid = 81');
    expect(row?.username).toBe('user81');
  } finally {
    await reading.stop();
    source.stop();
  }
});
