import { FarcasterNetwork, MessageData, MessageType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHex } from '../src/hex.js';
import { signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { signed } from '../src/sample/signed-message.js';
import { createSecondApp } from './support/app.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, SEED, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
});
afterAll(() => network.stop());

const hash = () => toHex(seeded.casts.hello.hash);
const get = (path: string) => network.get(`/v2/farcaster/${path}`);

test('another name answers as its operation does, with the parameters and the body of its callers', async () => {
  const { alice, dan } = FIDS;
  const bulk = (await get(`user/bulk?fids=${alice}&viewer_fid=${dan}`)).body.users;
  expect((await get(`user?fid=${alice}&viewer_fid=${dan}`)).body).toEqual({ user: bulk[0] });
  expect((await get('user/by-username?username=Alice')).body.user.fid).toBe(alice);
  expect((await get('user/by-username/?username=Alice')).body).toEqual(
    (await get('user/by_username?username=alice')).body,
  );
  const casts = (await get(`casts?casts=${hash()}`)).body.result.casts;
  expect(casts).toHaveLength(1);
  expect((await get(`cast/bulk?hashes=${hash()}`)).body).toEqual({ casts });
  expect((await get('channel/all?limit=3')).body).toEqual((await get('channel/list?limit=3')).body);
  const likes = (await get(`reactions/cast?hash=${hash()}&types=likes`)).body;
  expect(likes.reactions).toHaveLength(3);
  expect((await get(`reaction/cast?hash=${hash()}&fid=${alice}`)).body).toEqual(likes);
  expect((await get(`reaction/cast?hash=${hash()}&types=recasts`)).body.reactions).toHaveLength(1);
  const ofDan = (await get(`reactions/user?fid=${dan}&type=likes`)).body;
  expect((await get(`reaction/user?fid=${dan}`)).body).toEqual(ofDan);
});

test('it has the errors, the key, the limits and the cost of its operation', async () => {
  expect(await get('user?fid=987654')).toMatchObject({ status: 404, body: { code: 'NotFound' } });
  expect((await get('user')).status).toBe(400);
  expect(await get('user/by-username?username=nobody-of-that-name')).toMatchObject({ status: 404 });
  const anonymous = await fetch(`${network.url}/v2/farcaster/user?fid=${FIDS.alice}`);
  expect(anonymous.status).toBe(401);
  const [one, other] = [await get(`user?fid=${FIDS.bob}`), await get(`user/bulk?fids=${FIDS.bob}`)];
  expect(one.headers.get('x-compute-units')).toBe(other.headers.get('x-compute-units'));
  // Not a name of the neutral paths, and not of another method.
  expect((await network.get(`/v2/social/user?fid=${FIDS.alice}`)).status).toBe(405);
  expect((await network.send('POST', '/v2/farcaster/user/by-username', {})).status).toBe(405);
});

test('a client that lost `/v2` with its base URL finds the same operations', async () => {
  const path = `user/bulk?fids=${FIDS.alice}`;
  expect((await network.get(`/farcaster/${path}`)).body).toEqual((await get(path)).body);
  expect((await network.get(`/farcaster/user?fid=${FIDS.alice}`)).body.user.username).toBe('alice');
  expect((await network.get('/farcaster/nothing')).status).toBe(404);
});

test('a path of the first version is gone, and says what to call', async () => {
  const { status, body } = await network.get('/v1/farcaster/cast?hash=0x01');
  expect([status, body.errCode ?? body.code, body.details ?? body.message]).toEqual([
    410,
    expect.anything(),
    expect.stringContaining('/v2/farcaster/'),
  ]);
});

test('the app of a key is named, with the picture of its account', async () => {
  const { id, headers } = await createSecondApp(network);
  const ask = (more = {}) => network.get('/portal/app_by_api_key?starter_kit=true', { ...headers, ...more });
  expect((await ask()).body).toEqual({ app_uuid: id, app_name: expect.any(String), logo_url: null });
  await network.sql('update app set fid = $1 where id = $2', [FIDS.alice, id]);
  const [row] = await network.sql<{ pfp: string }>('select pfp_url as pfp from account where fid = $1', [FIDS.alice]);
  expect((await ask()).body.logo_url).toBe(row?.pfp);
  expect((await fetch(`${network.url}/portal/app_by_api_key`)).status).toBe(401);
});

test('a frame action is checked, and shows who sent it from which cast', async () => {
  const { bob, alice, casts, clock } = seeded;
  const key = signerKey(derive(SEED, 'signer', bob.fid, 0));
  const frame = (more: object = {}) => {
    const data = MessageData.create({
      type: MessageType.FRAME_ACTION,
      fid: bob.fid,
      timestamp: clock.tick(),
      network: FarcasterNetwork.DEVNET,
      frameActionBody: {
        url: Buffer.from('https://frame.example/play'),
        buttonIndex: 2,
        castId: { fid: alice.fid, hash: casts.hello.hash },
        inputText: Buffer.from('Hé'),
        ...more,
      },
    });
    return Buffer.from(signed(data, key).wire).toString('hex');
  };
  const ask = (hex: string) => network.send('POST', '/v2/farcaster/frame/validate', { message_bytes_in_hex: hex });
  const message = frame();
  const { status, body } = await ask(message);
  expect([status, body.valid]).toEqual([200, true]);
  expect(body.action).toMatchObject({
    object: 'validated_frame_action',
    url: 'https://frame.example/play',
    tapped_button: { index: 2 },
    input: { text: 'Hé' },
    interactor: { fid: bob.fid, username: 'bob', experimental: { neynar_user_score: expect.any(Number) } },
    cast: { hash: hash(), author: { fid: alice.fid } },
    timestamp: expect.stringMatching(/Z$/),
  });
  expect((await ask(`0x${message}`)).body).toEqual(body);
  const forged = Buffer.from(message, 'hex');
  forged[forged.length - 40] = (forged.at(-40) as number) ^ 1;
  expect((await ask(forged.toString('hex'))).body).toEqual({ valid: false, message: expect.any(String) });
  expect((await ask(frame({ castId: { fid: 1, hash: new Uint8Array(20) } }))).body.action).not.toHaveProperty('cast');
  const cast = Buffer.from(casts.hello.wire).toString('hex');
  expect(await ask(cast)).toMatchObject({ status: 400, body: { property: 'message_bytes_in_hex' } });
  for (const bad of ['', 'xyz', '0a4', 'ff'.repeat(9000)]) expect((await ask(bad)).status).toBe(400);
});
