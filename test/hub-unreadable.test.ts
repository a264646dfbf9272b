import { HubEventType, MessageData, MessageType, OnChainEvent, UserNameProof, UserNameType } from '@farcaster/core';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeByteString } from '../src/protocol/wire/wire.js';
import { FakeHub } from './support/fake-hub.js';
import {
  authors,
  expectSame,
  openHubFixture,
  type Reading,
  registration,
  waitUntilSynced,
} from './support/hub-fixture.js';
import { signBytes } from './support/signed-message.js';

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

/** More than a JavaScript number represents exactly, and less than 64 bits. */
const LARGE = 2 ** 60;

/** A proof as anybody may send it who has the name: hubs check neither its time nor its fid. */
const proofOf = (fid: number, timestamp: number): UserNameProof => ({
  ...{
    fid,
    timestamp,
    name: Buffer.from(`large${fid}.eth`),
    owner: Buffer.alloc(20, 1),
    signature: Buffer.alloc(65, 1),
  },
  type: UserNameType.USERNAME_TYPE_ENS_L1,
});

test('events that cannot be read are counted as events of their block', async () => {
  const [alice] = authors(301);
  const lines: string[] = [];
  hub.say(...(await registration(alice)));
  reading.start({ log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) });
  await expectSame(reading.db, hub);
  await waitUntilSynced(reading.db);
  const shard = hub.state.shardOf(alice.fid);
  const head = { type: MessageType.USERNAME_PROOF, fid: alice.fid, timestamp: 1, network: 3 };
  for (const usernameProofBody of [proofOf(alice.fid, LARGE), proofOf(LARGE, 5)]) {
    const data = MessageData.encode(MessageData.create({ ...head, usernameProofBody })).finish();
    const bodies = [
      encodeByteString(1, UserNameProof.encode(usernameProofBody).finish()),
      encodeByteString(3, signBytes(data)),
    ];
    hub.state.block(shard, [{ type: HubEventType.MERGE_USERNAME_PROOF, bytes: encodeByteString(8, ...bodies) }]);
  }
  const event = OnChainEvent.encode(OnChainEvent.create({ fid: LARGE })).finish();
  const onchain = encodeByteString(11, encodeByteString(1, event));
  hub.state.block(shard, [{ type: HubEventType.MERGE_ON_CHAIN_EVENT, bytes: onchain }]);
  hub.say(alice.cast({ text: 'after them' }));
  hub.say(alice.cast({ text: 'and after that' }));
  await expectSame(reading.db, hub);
  expect(reading.counts).toMatchObject({ garbage: 1, gaps: 0, reconnects: [] });
  expect(lines.join('')).toContain('"err"');
  expect(lines.join('')).not.toContain('counts are ignored');
});

test('an account whose proof has a number that is too large is synced without it', async () => {
  const [alice] = authors(302);
  hub.say(...(await registration(alice)), alice.cast({ text: 'mine' }));
  hub.state.account(alice.fid).proofs.set('large', proofOf(alice.fid, LARGE));
  reading.start();
  await expectSame(reading.db, hub);
  await waitUntilSynced(reading.db);
  const names = await reading.db.run<{ name: string }>('select name from username_proof');
  expect(names.map(({ name }) => name)).toEqual([`user${alice.fid}`]);
});
