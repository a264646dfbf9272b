import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { storeChannels } from './support/channel.js';
import {
  type FakeAnswer,
  type FakeChannelClient,
  listedChannel,
  startFakeChannelClient,
} from './support/fake-channel-client.js';
import { type Network, startNetwork } from './support/network.js';
import type { Received } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** Follows and invites in channels of a client: what it is asked, by whom, and what its answers become. */

let client: FakeChannelClient;
let network: Network;
let seeded: Seeded;
let bob: Awaited<ReturnType<typeof approvedSigner>>;
let erin: Awaited<ReturnType<typeof approvedSigner>>;

beforeAll(async () => {
  client = await startFakeChannelClient();
  client.channels = [listedChannel('garden', { leadFid: FIDS.bob, moderatorFids: [] })];
  network = await startNetwork({ CASTELLAN_CHANNEL_SOURCE: 'client', CASTELLAN_CHANNEL_CLIENT_URL: client.url });
  seeded = await seedBasics((items) => network.load(items));
  bob = await approvedSigner(network, seeded.bob);
  erin = await approvedSigner(network, seeded.erin);
  await storeChannels(network.app.core.db, [{ id: 'own', parentUrl: 'https://own.example', leadFid: FIDS.bob }]);
  await vi.waitFor(
    async () => expect(await network.sql("select from channel where id = 'garden'")).toHaveLength(1),
    30_000,
  );
});
afterAll(async () => {
  await network.stop();
  await client.stop();
});
beforeEach(async () => {
  client.answer = () => undefined;
  await network.sql('truncate channel_follow, channel_invite');
});

const written = (): Received[] => client.received.filter(({ method }) => method !== 'GET');
const call = async (method: string, path: string, body: object) => {
  const before = written().length;
  const { status, body: answer, headers } = await network.send(method, `/v2/social/channel/${path}`, body);
  return { status, answer, headers, asked: written().slice(before) };
};
const follow = (method: 'POST' | 'DELETE', channel_id = 'garden') =>
  call(method, 'follow/', { signer_uuid: bob.uuid, channel_id });
const isFollowing = async (id = 'garden'): Promise<boolean> =>
  (await network.get(`/v2/social/channel/?id=${id}&viewer_fid=${FIDS.bob}`)).body.channel.viewer_context.following;

/** Verifies the token of a request as the client does. @returns who made it */
const tokenOf = ({ headers }: Received): { readonly header: unknown; readonly exp: number } => {
  const [header, payload, signature] = (headers.authorization ?? '').replace(/^Bearer /, '').split('.') as [
    string,
    string,
    string,
  ];
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const x = Buffer.from(decode(header).key.slice(2), 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const isSigned = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
  if (!isSigned || Buffer.from(signature, 'base64url').length !== 64)
    throw new Error('the token is not signed by its key');
  return { header: decode(header), exp: decode(payload).exp };
};

test('a follow is made by the client, with a token that the signer of the account signed', async () => {
  for (let turn = 0; turn < 3; turn++) expect(await isFollowing()).toBe(false);
  const began = Math.floor(Date.now() / 1000);
  const { status, asked } = await follow('POST');
  expect([status, asked.map(({ method, path, body }) => [method, path, JSON.parse(body)])]).toEqual([
    200,
    [['POST', '/fc/channel-follows', { channelId: 'garden' }]],
  ]);
  const [request] = asked as [Received];
  expect(request.headers['content-type']).toBe('application/json');
  const { header, exp } = tokenOf(request);
  expect(header).toEqual({ fid: FIDS.bob, type: 'app_key', key: `0x${Buffer.from(bob.publicKey).toString('hex')}` });
  expect(exp - began).toBeGreaterThanOrEqual(299);
  expect(exp - began).toBeLessThan(360);
  expect(await isFollowing()).toBe(true);

  const back = await follow('DELETE');
  expect(back.asked.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    ['DELETE', '/fc/channel-follows', { channelId: 'garden' }],
  ]);
  expect(await isFollowing()).toBe(false);
});

test('channels of this server are followed without the client', async () => {
  const { status, asked } = await follow('POST', 'own');
  expect([status, asked, await isFollowing('own')]).toEqual([200, [], true]);
});

test('invites, answers to them and removals are made by the client', async () => {
  const body = (signer: { uuid: string }, more: object) => ({
    signer_uuid: signer.uuid,
    channel_id: 'garden',
    ...more,
  });
  const invited = await call('POST', 'member/invite/', body(bob, { fid: FIDS.erin, role: 'member' }));
  const accepted = await call('PUT', 'member/invite/', body(erin, { role: 'member', accept: true }));
  const removed = await call('DELETE', 'member/', body(bob, { fid: FIDS.erin, role: 'member' }));
  expect([invited.status, accepted.status, removed.status]).toEqual([200, 200, 200]);
  const sent = [invited, accepted, removed].flatMap(({ asked }) => asked);
  expect(sent.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    ['POST', '/fc/channel-invites', { channelId: 'garden', inviteFid: FIDS.erin, role: 'member' }],
    ['PATCH', '/fc/channel-invites', { channelId: 'garden', role: 'member', accept: true }],
    ['DELETE', '/fc/channel-invites', { channelId: 'garden', removeFid: FIDS.erin, role: 'member' }],
  ]);
  expect(sent.map((request) => (tokenOf(request).header as { fid: number }).fid)).toEqual([
    FIDS.bob,
    FIDS.erin,
    FIDS.bob,
  ]);
});

const words = (text: string) => JSON.stringify({ errors: [{ message: text }] });
const statuses: [string, FakeAnswer, number, number, RegExp][] = [
  ['400 with words', { status: 400, body: words('Not a valid channel') }, 400, 400, /refused: Not a valid channel$/],
  ['400 with many words', { status: 400, body: words('long'.repeat(1000)) }, 400, 400, /refused: (long){75}$/],
  ['400 with another body', { status: 400, body: '{"message": "Nope"}' }, 400, 400, /refused: Nope$/],
  ['400 without JSON', { status: 400, body: '<html>' }, 400, 400, /refused: It answered 400\.$/],
  ['404', { status: 404, body: '[]' }, 400, 400, /It answered 404/],
  ['409', { status: 409, body: 'null' }, 400, 400, /It answered 409/],
  ['401', { status: 401, body: words('Unknown key') }, 403, 400, /Unknown key/],
  ['403', { status: 403, body: words('Not yours') }, 403, 400, /Not yours/],
  ['429', { status: 429, headers: { 'retry-after': '30' } }, 502, 500, /does not answer at the moment/],
  ['500', { status: 500, body: words('internal secret') }, 502, 500, /does not answer at the moment/],
  ['503', { status: 503, body: '' }, 502, 500, /does not answer at the moment/],
  ['302', { status: 302, headers: { location: '/' } }, 502, 500, /does not answer at the moment/],
];

test.each(statuses)('%s of the client', async (_name, answer, onFollow, onMember, message) => {
  client.answer = () => answer;
  const followed = await follow('POST');
  expect([followed.status, followed.answer.message]).toEqual([
    onFollow,
    expect.stringMatching(followed.status < 500 ? message : new RegExp(message.source)),
  ]);
  expect(followed.headers.get('retry-after')).toBe(answer.headers?.['retry-after'] ?? null);
  expect(await isFollowing()).toBe(false);
  const invite = { signer_uuid: bob.uuid, channel_id: 'garden', fid: FIDS.erin, role: 'member' };
  expect((await call('POST', 'member/invite/', invite)).status).toBe(onMember);
  expect(await network.sql('select * from channel_invite')).toEqual([]);
});

test('a channel client that cannot be reached is a 502', async () => {
  const other = await startFakeChannelClient();
  const lonely = await startNetwork({ CASTELLAN_CHANNEL_SOURCE: 'client', CASTELLAN_CHANNEL_CLIENT_URL: other.url });
  try {
    await other.stop();
    await storeChannels(lonely.app.core.db, [{ id: 'garden', parentUrl: 'https://x.example', source: 'client' }]);
    const people = await seedBasics((items) => lonely.load(items));
    const { uuid } = await approvedSigner(lonely, people.bob);
    const body = { signer_uuid: uuid, channel_id: 'garden' };
    expect(await lonely.send('POST', '/v2/social/channel/follow/', body)).toMatchObject({
      status: 502,
      body: { code: 'ChannelClientAway' },
    });
  } finally {
    await lonely.stop();
  }
});
