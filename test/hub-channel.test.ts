import type { HubEventType } from '@farcaster/core';
import { afterEach, expect, test } from 'vitest';
import { channelIdOf, channelUrl } from '../src/protocol/channel/identity.js';
import { encodeByteString } from '../src/protocol/wire/wire.js';
import { channelMessage, channelRegistration, wireOf } from './support/channel-message.js';
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

/* Channels of the protocol from the event stream of a hub, over real gRPC. */

const REGISTRAR = 'eip155:31337/erc721:0x5FbDB2315678afecb367f032d93F642f64180aa3';
const ID = channelIdOf('gardens');

let hub: FakeHub;
let reading: Reading;

afterEach(async () => {
  await reading.stop();
  hub.stop();
});

test('registrations and messages of the stream become a channel, also after an interruption', async () => {
  hub = new FakeHub([1]);
  await hub.start();
  reading = await openHubFixture(hub, undefined, REGISTRAR);
  const [alice, bob] = authors(61, 62);
  for (const account of [alice, bob]) hub.say(...(await registration(account)));
  reading.start();
  await expectSame(reading.db, hub);
  await waitUntilSynced(reading.db);
  await until(() => expect(hub.listeners).toBe(1));

  const make = (fid: number, type: number, body: Uint8Array) =>
    channelMessage({ seed: 'hub', fid }, type, new Uint8Array(Buffer.concat([wireOf({ 1: ID }), body])));
  const url = channelUrl(REGISTRAR, ID);
  hub.say(channelRegistration({ key: 'gardens', owner: alice.wallet(1).address }));
  hub.say(await alice.verifyEthereum(alice.wallet(1)));
  hub.say(make(alice.fid, 18, wireOf({ 2: 'Gardens', 8: 1 })), make(bob.fid, 19, wireOf({ 2: bob.fid, 3: 1 })));
  const stored = () =>
    reading.db.run(
      `select c.name, c.lead_fid, array(select m.fid from channel_member m where m.channel_id = c.id order by m.fid) as members,
              array(select f.fid from channel_follow f where f.channel_id = c.id) as followers
         from channel c`,
    );
  const shown = { name: 'Gardens', lead_fid: alice.fid, members: [alice.fid, bob.fid] };
  await until(async () => expect(await stored()).toEqual([{ ...shown, followers: [] }]));

  // The stream breaks and repeats its newest block; a hint of another owner is no state.
  hub.cutAfter = 1;
  hub.state.block(1, [
    { type: 12 as HubEventType, bytes: encodeByteString(17, wireOf({ 1: 'gardens', 2: bob.wallet(1).address, 3: 1 })) },
  ]);
  hub.say(bob.react('like', url));
  await until(() => expect(reading.counts.reconnects).toContain('error'));
  await hub.start();
  await until(async () => expect(await stored()).toEqual([{ ...shown, followers: [bob.fid] }]));
  hub.repeat(4);
  hub.say(bob.cast({ text: 'the end' }));
  await expectSame(reading.db, hub);
  expect(await stored()).toEqual([{ ...shown, followers: [bob.fid] }]);
  expect(reading.counts).toMatchObject({ garbage: 0, unknown: 0 });
  expect(await reading.db.run('select refusal from protocol_channel_message')).toEqual([
    { refusal: null },
    { refusal: null },
  ]);
});
