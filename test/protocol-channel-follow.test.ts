import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelIdOf, channelUrl } from '../src/protocol/channel/identity.js';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Author } from '../src/sample/author.js';
import { storeChannels } from './support/channel.js';
import { channelRegistration } from './support/channel-message.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** Follows of the network's own channels through the API: likes of their URLs. */

const REGISTRAR = 'eip155:31337/erc721:0x5FbDB2315678afecb367f032d93F642f64180aa3';
const KEY = 'gardens';
const URL = channelUrl(REGISTRAR, channelIdOf(KEY));

let network: Network;
let seeded: Seeded;
let signer_uuid: string;

const begin = async (environment: Record<string, string>): Promise<void> => {
  network = await startNetwork({ CASTELLAN_CHANNEL_REGISTRAR: REGISTRAR, ...environment });
  seeded = await seedBasics((items) => network.load(items));
  await network.load([channelRegistration({ key: KEY, owner: seeded.alice.wallet(1).address })]);
  signer_uuid = (await approvedSigner(network, seeded.bob)).uuid;
};
const send = (method: string, channel_id = KEY) =>
  network.send(method, '/v2/social/channel/follow/', { signer_uuid, channel_id });
const shown = async () => (await network.get(`/v2/social/channel/?id=${KEY}&viewer_fid=${FIDS.bob}`)).body.channel;
const likes = () =>
  network.sql('select 1 from message where fid = $1 and type = 3 and subtype = 1 and target_fid = 0', [FIDS.bob]);

beforeAll(() => begin({ CASTELLAN_PROTOCOL_CHANNELS: '1' }));
afterAll(() => network.stop());

test('a follow is a like of the URL, counted and shown at once, and its removal ends it', async () => {
  expect(await shown()).toMatchObject({ id: KEY, parent_url: URL, follower_count: 0 });
  for (let turn = 0; turn < 2; turn++) {
    expect((await send('POST')).body).toEqual({ success: true });
    expect(await shown()).toMatchObject({ follower_count: 1, viewer_context: { following: true } });
    expect(await likes()).toHaveLength(1);
  }
  for (let turn = 0; turn < 2; turn++) {
    expect((await send('DELETE')).body).toEqual({ success: true });
    expect(await shown()).toMatchObject({ follower_count: 0, viewer_context: { following: false } });
    expect(await likes()).toEqual([]);
  }
});

test('a channel follow is dated by the like in force, whatever the number and batches of likes', async () => {
  const now = fromUnixMs(Date.now()) - 100;
  const like = (by: Author, at: number) => by.react('like', URL, at).item;
  await network.load([like(seeded.alice, now)]);
  await network.load([like(seeded.carol, now + 1)]);
  await network.load([like(seeded.alice, now + 2)]);
  await network.load([like(seeded.erin, now + 3)]);
  await network.load([like(seeded.dan, now + 5), like(seeded.dan, now)]);
  const { body } = await network.get(`/v2/social/channel/followers/?id=${KEY}`);
  expect(body.users.map(({ fid }: { fid: number }) => fid)).toEqual([FIDS.dan, FIDS.erin, FIDS.alice, FIDS.carol]);
});

test('members are decided by messages of the network', async () => {
  const body = { signer_uuid, channel_id: KEY, fid: FIDS.carol, role: 'member' };
  for (const [method, path, more] of [
    ['POST', 'invite/', {}],
    ['PUT', 'invite/', { accept: true }],
    ['DELETE', '', {}],
  ] as const) {
    const { status, body: fault } = await network.send(method, `/v2/social/channel/member/${path}`, {
      ...body,
      ...more,
    });
    expect([method, status, fault.property]).toEqual([method, 400, 'channel_id']);
  }
});

test('without the setting nothing is written', async () => {
  await network.stop();
  await begin({});
  const { status, body } = await send('POST');
  expect([status, body.property]).toEqual([403, 'channel_id']);
  expect(body.message).toContain('CASTELLAN_PROTOCOL_CHANNELS');
  expect(await likes()).toEqual([]);
  await storeChannels(network.app.core.db, [{ id: 'own', parentUrl: 'https://own.example' }]);
  expect((await send('POST', 'own')).status).toBe(200);
});
