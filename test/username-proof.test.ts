import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMigrations } from '../src/db/migrate.js';
import { syncFromHub } from '../src/ingest/hub/requested-sync.js';
import type { Source } from '../src/ingest/ingest-outcome.js';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { decodeMessage } from '../src/protocol/wire/decode.js';
import { decodeEnvelope } from '../src/protocol/wire/envelope.js';
import type { Signed } from '../src/sample/signed-message.js';
import { openTestDatabase } from './support/database.js';
import { FakeHub } from './support/fake-hub.js';
import { type HubFlow, hex, startHubFlow } from './support/hub-api.js';
import { authors, log, openHubFixture, registration, until, waitUntilSynced } from './support/hub-fixture.js';
import { openTestIngest } from './support/ingest.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

/** The proof alone, as a sync gets it. */
const bare = ({ wire }: Signed): IngestItem => {
  const proof = decodeMessage(decodeEnvelope(wire)).data.usernameProofBody;
  if (!proof) throw new Error('The message has no proof.');
  return { kind: 'proof', proof };
};

const proofsOf = async (fid: number): Promise<{ name: string; fid: number }[]> => {
  const { body } = await hub.get('hub-fetch-username-proofs-by-fid', `/v1/userNameProofsByFid?fid=${fid}`);
  return body.proofs;
};
const proofOf = (name: string) =>
  hub.get('hub-fetch-username-proof-by-name', `/v1/userNameProofByName?name=${encodeURIComponent(name)}`);

const AS_MESSAGES = [false, false] as const;

test.each<readonly [string, Source, readonly [isEarlierBare: boolean, isLaterBare: boolean]]>([
  ['of a hub', 'hub', AS_MESSAGES],
  ['of a file', 'file', AS_MESSAGES],
  ['of a sync', 'backfill', [true, true]],
  ['of a sync, then of the stream', 'hub', [true, false]],
  ['of the stream, then of a sync', 'backfill', [false, true]],
])('a name has the later of two proofs %s, in any order', async (_name, source, [isEarlierBare, isLaterBare]) => {
  for (const isReversed of [false, true]) {
    for (const isTogether of [false, true]) {
      const { db, drop } = await openTestDatabase();
      const ingest = openTestIngest(db);
      const [alice, bob] = authors(91, 92);
      const load = (...items: IngestItem[]) => ingest.submit(items, { source, announce: false });
      const accounts = [alice, bob].flatMap((person) => [person.register(), person.rent(1)]);
      await load(...accounts, await alice.addSigner(), await bob.addSigner());
      const [earlier, later] = [await alice.ensProof('shared.eth'), await bob.ensProof('shared.eth')];
      const items = [isEarlierBare ? bare(earlier) : earlier.item, isLaterBare ? bare(later) : later.item];
      if (isReversed) items.reverse();
      if (isTogether) await load(...items);
      else for (const item of items) await load(item);
      const what = `reversed ${isReversed}, together ${isTogether}`;
      expect(await db.run('select name, fid from username_proof'), what).toEqual([{ name: 'shared.eth', fid: 92 }]);
      const messages = await db.run('select fid from message where message_set = 7');
      expect(messages, what).toEqual(isLaterBare ? [] : [{ fid: 92 }]);
      expect(await audit(db), what).toEqual([]);
      await drop();
    }
  }
});

test('a proof of another account with the same time is replaced by the one with the higher hash', async () => {
  const { db, drop } = await openTestDatabase();
  const ingest = openTestIngest(db);
  const [alice, bob] = authors(93, 94);
  const load = (...items: IngestItem[]) => ingest.submit(items, { source: 'hub', announce: false });
  const accounts = [alice, bob].flatMap((person) => [person.register(), person.rent(1)]);
  await load(...accounts, await alice.addSigner(), await bob.addSigner());
  for (const at of [100, 101, 102, 103, 104, 105]) {
    const proofs = [await alice.ensProof('tied.eth', { at }), await bob.ensProof('tied.eth', { at })];
    const [high] = proofs.toSorted((a, b) => Buffer.compare(b.hash, a.hash));
    await load(...proofs.map(({ item }) => item));
    const rows = await db.run<{ hash: Buffer }>('select hash from message where message_set = 7');
    expect(rows.map(({ hash }) => hex(hash))).toEqual([hex(high?.hash as Uint8Array)]);
  }
  expect(await audit(db)).toEqual([]);
  await drop();
});

test('a proof that another account replaces leaves lists, profile and log', async () => {
  const { grace, heidi, clock } = hub.seeded;
  const first = await grace.ensProof('harbor.eth', { at: clock.tick() });
  await hub.submit([first.item, grace.userData(UserDataType.USERNAME, 'harbor.eth', clock.tick()).item]);
  const username = async (fid: number) =>
    (await hub.shell.db.run<{ username: string | null }>('select username from account where fid = $1', [fid]))[0]
      ?.username;
  expect(await username(grace.fid)).toBe('harbor.eth');
  const second = await heidi.ensProof('harbor.eth', { at: clock.tick() });
  await hub.submit([second.item]);
  expect(await proofsOf(grace.fid)).not.toContainEqual(expect.objectContaining({ name: 'harbor.eth' }));
  expect(await proofsOf(heidi.fid)).toContainEqual(expect.objectContaining({ name: 'harbor.eth', fid: heidi.fid }));
  expect((await proofOf('harbor.eth')).body.fid).toBe(heidi.fid);
  expect(await username(grace.fid)).toBeNull();
  const lastEvent = async () => (await hub.getUnchecked('/v1/events?from_event_id=0')).body.events.at(-1);
  const proof = ({ fid }: typeof grace) => ({ name: 'harbor.eth', fid });
  expect(await lastEvent()).toMatchObject({
    type: 'HUB_EVENT_TYPE_MERGE_USERNAME_PROOF',
    mergeUsernameProofBody: {
      usernameProof: proof(heidi),
      usernameProofMessage: { hash: hex(second.hash) },
      deletedUsernameProof: proof(grace),
      deletedUsernameProofMessage: { hash: hex(first.hash) },
    },
  });
  // The replaced one does not come back.
  await hub.submit([first.item]);
  expect((await proofOf('harbor.eth')).body.fid).toBe(heidi.fid);
  // The account that lost it can prove it again.
  const third = await grace.ensProof('harbor.eth', { at: clock.tick() });
  await hub.submit([third.item]);
  expect((await proofOf('harbor.eth')).body.fid).toBe(grace.fid);
  expect(await proofsOf(heidi.fid)).not.toContainEqual(expect.objectContaining({ name: 'harbor.eth' }));
  // Of one that is pruned or revoked, a hub says the same type of event.
  await hub.submit([{ kind: 'removal', reason: 'revoke', wire: third.wire }]);
  expect((await lastEvent()).mergeUsernameProofBody).toEqual({
    deletedUsernameProof: expect.objectContaining(proof(grace)),
    deletedUsernameProofMessage: expect.objectContaining({ hash: hex(third.hash) }),
  });
  expect(await audit(hub.shell.db)).toEqual([]);
});

test('a proof may be for another account than that of its message, and is listed for the latter', async () => {
  const { grace, heidi, clock } = hub.seeded;
  const message = await grace.ensProof('quay.eth', { fid: heidi.fid, owner: heidi.custody, at: clock.tick() });
  await hub.submit([message.item]);
  expect((await proofOf('quay.eth')).body.fid).toBe(heidi.fid);
  expect(await proofsOf(grace.fid)).toContainEqual(expect.objectContaining({ name: 'quay.eth', fid: heidi.fid }));
  expect(await proofsOf(heidi.fid)).not.toContainEqual(expect.objectContaining({ name: 'quay.eth' }));
  // The name is that of the account in the proof.
  const claim = async (person: typeof grace) =>
    hub.post(
      'hub-publish-message',
      '/v1/submitMessage',
      person.userData(UserDataType.USERNAME, 'quay.eth', clock.tick()).wire,
    );
  expect((await claim(grace)).status).toBe(400);
  expect((await claim(heidi)).status).toBe(200);
  const shown = await hub.shell.db.run("select fid from account where username = 'quay.eth'");
  expect(shown).toEqual([{ fid: heidi.fid }]);
  expect(await audit(hub.shell.db)).toEqual([]);
});

test('a sync of two accounts of which one lost its name leaves one proof', async () => {
  const source = new FakeHub();
  await source.start();
  const reading = await openHubFixture(source);
  try {
    const [alice, bob] = authors(95, 96);
    source.say(...(await registration(alice)), ...(await registration(bob)));
    source.say((await alice.ensProof('moved.eth')).item, (await bob.ensProof('moved.eth')).item);
    reading.start();
    await waitUntilSynced(reading.db);
    await until(async () =>
      expect(await reading.db.run("select fid from username_proof where name = 'moved.eth'")).toEqual([{ fid: 96 }]),
    );
    expect(await audit(reading.db)).toEqual([]);
  } finally {
    await reading.stop();
    source.stop();
  }
});

test('a sync keeps a proof that another account sent, as long as the hub has it', async () => {
  const source = new FakeHub();
  await source.start();
  const reading = await openHubFixture(source);
  const { db, ingest } = reading;
  try {
    const [alice, bob] = authors(88, 89);
    source.say(...(await registration(alice)), ...(await registration(bob)));
    source.say((await alice.ensProof('sent.eth', { fid: bob.fid, owner: bob.custody })).item);
    // The stream begins with the newest block, which has no proof.
    source.tick();
    const { signal } = new AbortController();
    const sync = (...fids: number[]) =>
      syncFromHub({ address: source.address, db, ingest, log, signal, fids, onProgress: () => undefined });
    const owners = () => db.run("select fid from username_proof where name = 'sent.eth'");
    reading.start();
    await until(async () => expect(await owners()).toHaveLength(1));
    await waitUntilSynced(db);
    await sync(bob.fid);
    expect(await owners()).toEqual([{ fid: bob.fid }]);
    source.state.account(alice.fid).proofs.delete('sent.eth');
    await sync(bob.fid);
    expect(await owners()).toEqual([]);
    expect(await audit(db)).toEqual([]);
  } finally {
    await reading.stop();
    source.stop();
  }
});

test('an upgrade leaves one proof of a name that had several', async () => {
  const { db, drop } = await openTestDatabase();
  const ingest = openTestIngest(db);
  const [alice, bob] = authors(97, 98);
  const load = (...items: IngestItem[]) => ingest.submit(items, { source: 'hub', announce: false });
  const accounts = [alice, bob].flatMap((person) => [person.register(), person.rent(1)]);
  await load(...accounts, await alice.addSigner(), await bob.addSigner(), await bob.fnameProof('former'));
  await load((await alice.ensProof('upgraded.eth')).item, await alice.fnameProof('former'));
  await db.run('create table old_message as select * from message where message_set = 7');
  await db.run('create table old_proof as select * from username_proof');
  await load((await bob.ensProof('upgraded.eth')).item, await bob.fnameProof('former'));
  const upgraded = () => db.run('select name, fid from username_proof order by name');
  const expected = await upgraded();
  // As the version before stored them.
  for (const sql of [
    'drop index message_username_proof',
    'drop index username_proof_message',
    'alter table username_proof drop constraint username_proof_pkey, add primary key (name, fid)',
    'insert into message select * from old_message',
    'insert into username_proof select * from old_proof',
    'drop table old_message',
    'drop table old_proof',
  ])
    await db.run(sql);
  expect(await upgraded()).toHaveLength(4);
  const migration = (await readMigrations()).find(({ name }) => name.startsWith('0027'));
  await db.transaction((session) => session.script(migration?.text as string));
  expect(await upgraded()).toEqual(expected);
  expect(await db.run('select fid from message where message_set = 7')).toEqual([{ fid: 98 }]);
  expect(await audit(db)).toEqual([]);
  await drop();
});
