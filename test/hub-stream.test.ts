import { type HubEventType, MessageData, type MessageType } from '@farcaster/core';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { blake3Hash20 } from '../src/protocol/hash.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { encodeEnvelope } from '../src/protocol/wire/envelope.js';
import { signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { selectHubPosition } from '../src/store/hub/position.js';
import { FakeHub } from './support/fake-hub.js';
import {
  authors,
  expectSame,
  hubHashes,
  openHubFixture,
  type Reading,
  registration,
  storedHashes,
  until,
  waitUntilSynced,
} from './support/hub-fixture.js';
import { keyAdd, keyRemove } from './support/key-message.js';

const HOUR_SECONDS = 3_600;

let hub: FakeHub;
let reading: Reading;

const open = async (): Promise<void> => {
  hub = new FakeHub();
  await hub.start();
  reading = await openHubFixture(hub);
};

/** Waits until everything is stored, no sync is running, and the hub has a subscriber on every shard. */
const settled = async (): Promise<void> => {
  await expectSame(reading.db, hub);
  await waitUntilSynced(reading.db);
  await until(() => expect(hub.listeners).toBe(hub.state.shards.length));
};

afterEach(async () => {
  await reading.stop();
  hub.stop();
});

test('a stream that is interrupted, restarted with a gap and repeated stores every message once', async () => {
  await open();
  const accounts = authors(11, 12, 13);
  const [alice, bob, carol] = accounts;
  for (const account of accounts) hub.say(...(await registration(account)));
  reading.start();
  await settled();

  // Live events, cut after some of a block's events were sent.
  const casts = Array.from({ length: 40 }, (_, index) => alice.cast({ text: `cast ${index}` }));
  const [first, second, third] = casts as [(typeof casts)[0], (typeof casts)[0], (typeof casts)[0]];
  hub.cutAfter = 25;
  hub.say(...casts);
  await until(() => expect(reading.counts.reconnects).toContain('error'));
  // Without a subscriber: additions and removals whose events are gone when the hub is back.
  hub.say(bob.follow(alice.fid), ...casts.map((cast) => carol.react('like', cast)), alice.removeCast(first.hash));
  hub.say(bob.unfollow(alice.fid), carol.cast({ text: 'hello', parent: second }), carol.unreact('like', second));
  hub.prune(third);
  hub.pruneLog();
  await hub.start();
  hub.tick();
  await expectSame(reading.db, hub);
  expect(reading.counts.gaps).toBeGreaterThan(0);

  hub.repeat(30);
  hub.say(bob.cast({ text: 'after the repetition' }));
  await expectSame(reading.db, hub);
  expect(reading.counts.repeated).toBeGreaterThan(0);
  expect(reading.reader.state()).toMatchObject({ connected: true });
});

test('events skipped by a live stream are read again from the log of the hub', async () => {
  await open();
  const [alice] = authors(21);
  hub.say(...(await registration(alice)));
  reading.start();
  await settled();
  const casts = [1, 2, 3, 4, 5].map((n) => alice.cast({ text: `${n}` }));
  hub.losing = true;
  hub.say(...casts.slice(0, 3));
  hub.losing = false;
  hub.say(...casts.slice(3));
  await expectSame(reading.db, hub);
  expect(reading.counts.reconnects).toContain('reread');
  expect(reading.counts.gaps).toBe(0);
});

test('a silent stream is reopened', async () => {
  await open();
  const [alice] = authors(31);
  hub.say(...(await registration(alice)));
  reading.start({ stallTimeoutMs: 400 });
  await settled();
  hub.stall();
  hub.say(alice.cast({ text: 'said into a dead connection' }));
  await expectSame(reading.db, hub);
  expect(reading.counts.reconnects).toContain('stall');
});

const signRaw = (dataBytes: Uint8Array, fid: number): Uint8Array => {
  const key = signerKey(derive('hub', 'signer', fid, 0));
  const hash = blake3Hash20(dataBytes);
  const schemes = { hashScheme: 1, signatureScheme: 1 };
  const signature = key.sign(hash);
  return encodeEnvelope({ ...schemes, dataBytes, dataForm: 'data_bytes', hash, signature, signer: key.publicKey });
};

test('invalid and unknown events are counted and skipped; unknown messages are stored unchanged', async () => {
  await open();
  const [alice] = authors(41);
  hub.say(...(await registration(alice)));
  reading.start();
  await settled();
  for (const bytes of ['', 'ff', '0a', '08011a7f00', 'deadbeef'.repeat(64)]) hub.garbage(Buffer.from(bytes, 'hex'));
  hub.state.block(1, [{ type: 13 as HubEventType }]);
  // A type of a later version, with its body in a field of a later version.
  const head = MessageData.create({ type: 22 as MessageType, fid: alice.fid, timestamp: 1, network: 3 });
  const dataBytes = Buffer.concat([MessageData.encode(head).finish(), Buffer.from('ca010408031001', 'hex')]);
  hub.say({ kind: 'message', wire: signRaw(dataBytes, alice.fid) }, alice.cast({ text: 'after the garbage' }));
  await expectSame(reading.db, hub);
  expect(reading.counts.garbage).toBe(5 * hub.state.shards.length);
  expect(reading.counts.unknown).toBe(1);
  const [kept] = await reading.db.run<{ data: Buffer }>('select data from message where type = 22');
  expect(kept?.data.toString('hex')).toBe(dataBytes.toString('hex'));
});

test('an unavailable hub is retried at the start, with increasing pauses', async () => {
  hub = new FakeHub();
  await hub.start();
  const { address } = hub;
  hub.stop();
  reading = await openHubFixture(hub);
  const lines: string[] = [];
  reading.start({ address, log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }) });
  const failures = () => lines.filter((line) => line.includes('does not answer; trying again')).length;
  await expect.poll(failures).toBeGreaterThan(2);
  expect(reading.reader.state()).toEqual({
    connected: false,
    lagSeconds: undefined,
    hubBehind: 0,
    backfill: undefined,
    streams: [],
  });
  const [alice] = authors(61);
  hub.say(...(await registration(alice)), alice.cast({ text: 'here I am' }));
  await hub.start();
  await expectSame(reading.db, hub);
  await until(() => expect(reading.reader.state().connected).toBe(true));
});

test('a clock behind that of the hub loses nothing of what the hub lists and streams', async () => {
  await open();
  const [alice] = authors(62);
  const ahead = () => fromUnixMs(Date.now()) + HOUR_SECONDS;
  hub.say(...(await registration(alice)), alice.cast({ text: 'listed', at: ahead() }));
  reading.start();
  await settled();
  hub.say(alice.cast({ text: 'streamed', at: ahead() }));
  await expectSame(reading.db, hub);
});

test('a restart resumes at the stored position and syncs no account again', async () => {
  await open();
  const [alice] = authors(71);
  hub.say(...(await registration(alice)));
  reading.start();
  await settled();
  hub.say(alice.cast({ text: 'one' }));
  await expectSame(reading.db, hub);
  await reading.reader.stop();
  const asked = hub.requestedFids.length;
  hub.say(alice.cast({ text: 'two, while nobody reads' }));
  reading.start();
  await settled();
  const position = await selectHubPosition(reading.db, hub.address.address, hub.state.shardOf(alice.fid));
  expect(position).toBe(hub.headId(hub.state.shardOf(alice.fid)));
  expect(hub.requestedFids.length).toBe(asked);
  expect(reading.counts.gaps).toBe(0);
});

test('a hub that was reset removes nothing', async () => {
  await open();
  const [alice] = authors(81);
  hub.say(...(await registration(alice)), alice.cast({ text: 'kept' }));
  for (let block = 0; block < 5; block++) hub.tick();
  reading.start();
  await settled();
  const before = hubHashes(hub);
  await reading.reader.stop();
  hub.stop();
  // The same address, an earlier state of the chain.
  for (const log of hub.state.logs.values()) Object.assign(log, { height: 1, events: [] });
  hub.state.accounts.get(alice.fid)?.messages.clear();
  await reading.db.run("update hub_sync set finished_at = null, reason = 'gap', requested_at = clock_timestamp()");
  await hub.start();
  reading.start();
  await waitUntilSynced(reading.db);
  expect(await storedHashes(reading.db)).toEqual(before);
});

test('messages of a key that only the hub knows are accepted', async () => {
  await open();
  const [alice] = authors(91);
  hub.say(...(await registration(alice)));
  const other = alice.withKey(1);
  hub.state.account(alice.fid).trustedKeys.push(other.signer);
  hub.say(other.cast({ text: 'before the first start' }));
  reading.start();
  await settled();
  hub.say(other.cast({ text: 'live' }));
  await expectSame(reading.db, hub);
  await reading.reader.stop();
  reading.start();
  hub.say(other.cast({ text: 'live after a restart' }));
  await expectSame(reading.db, hub);
  const stranger = alice.withKey(2).cast({ text: 'signed by nobody known' });
  hub.say(stranger, other.cast({ text: 'the last' }));
  await until(async () => expect(await storedHashes(reading.db)).toHaveLength(hubHashes(hub).length - 1));
});

test('a first load has the messages of a key that a message registered and another one removed', async () => {
  await open();
  const [alice, app] = authors(92, 93);
  const key = signerKey(derive('hub', 'signer', alice.fid, 1));
  const at = fromUnixMs(Date.now()) - 600;
  const cast = alice.withKey(1).cast({ text: 'with a key of this app', at: at + 1 });
  for (const account of [alice, app]) hub.say(...(await registration(account)));
  hub.say(await keyAdd(alice, { key, nonce: 1, app, at }), cast);
  hub.say(await keyRemove(alice, { key, nonce: 2, at: at + 2 }));
  reading.start();
  const hash = Buffer.from(cast.hash).toString('hex');
  await until(async () => expect(await storedHashes(reading.db)).toContain(hash));
});
