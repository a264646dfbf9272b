import { MessageType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { decodeMessage } from '../src/protocol/wire/decode.js';
import { author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import { envelopeOf, MESSAGE_COLUMNS, type MessageRow } from '../src/store/protocol/message.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
let seeded: Seeded;
/** Signers of bob and of carol. */
let bob: string;
let carol: string;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  bob = (await approvedSigner(network, seeded.bob)).uuid;
  carol = (await approvedSigner(network, seeded.carol)).uuid;
});
afterAll(() => network.stop());

const PATH = '/v2/social/reaction/';
const hashOf = (cast: Signed): string => `0x${Buffer.from(cast.hash).toString('hex')}`;

const react = (method: 'POST' | 'DELETE', target: string, more: Record<string, unknown> = {}): Promise<TestResponse> =>
  network.send(method, PATH, { signer_uuid: bob, reaction_type: 'like', target, ...more });
const like = (target: string, more?: Record<string, unknown>) => react('POST', target, more);
const unlike = (target: string, more?: Record<string, unknown>) => react('DELETE', target, more);

/** How the cast looks to a viewer in the very next request. */
const seen = async (cast: Signed, viewer: number = FIDS.bob) => {
  const path = `/v2/social/cast/?type=hash&identifier=${hashOf(cast)}&viewer_fid=${viewer}`;
  const { body } = await network.get(path);
  const { reactions, viewer_context } = body.cast;
  return { likes: reactions.likes_count, recasts: reactions.recasts_count, ...viewer_context };
};

/** Reactions that bob has stored, those taken back included. */
const stored = (): Promise<MessageRow[]> =>
  network.app.core.db.run<MessageRow>(
    `select ${MESSAGE_COLUMNS} from message m where m.fid = $1 and m.message_set = 2 order by m.ts, m.hash`,
    [FIDS.bob],
  );

const events = async (): Promise<number> => {
  const [row] = await network.app.core.db.run<{ count: number }>('select count(*) from hub_event');
  return row?.count ?? 0;
};

test('a like is signed with the key of the signer and shows in the very next request', async () => {
  const { emoji } = seeded.casts;
  expect(await seen(emoji)).toMatchObject({ likes: 0, liked: false });
  const answer = await like(hashOf(emoji));
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect(await seen(emoji)).toMatchObject({ likes: 1, liked: true, recasted: false });
  const list = await network.get(`/v2/social/reactions/cast/?hash=${hashOf(emoji)}&types=likes`);
  expect(list.body.reactions.map((one: { user: { fid: number } }) => one.user.fid)).toEqual([FIDS.bob]);
  const row = (await stored()).at(-1) as MessageRow;
  const { data } = decodeMessage(envelopeOf(row));
  expect(data).toMatchObject({
    type: MessageType.REACTION_ADD,
    reactionBody: { type: 1, targetCastId: { fid: FIDS.dan } },
  });
  expect(Math.abs(data.timestamp - fromUnixMs(Date.now()))).toBeLessThan(60);

  expect(await like(hashOf(emoji), { reaction_type: 'recast' })).toMatchObject({ status: 200 });
  expect(await seen(emoji)).toMatchObject({ likes: 1, recasts: 1, liked: true, recasted: true });
  expect(await unlike(hashOf(emoji), { reaction_type: 'recast' })).toMatchObject({ status: 200 });
  expect(await unlike(hashOf(emoji))).toMatchObject({ status: 200, body: { success: true } });
  expect(await seen(emoji)).toMatchObject({ likes: 0, recasts: 0, liked: false, recasted: false });
});

test('a repeated like and a repeated unlike succeed without another message', async () => {
  const { reply } = seeded.casts;
  await like(hashOf(reply));
  const before = await events();
  expect(await like(hashOf(reply))).toMatchObject({ status: 200, body: { success: true } });
  expect(await events()).toBe(before);
  expect(await seen(reply)).toMatchObject({ likes: 1, liked: true });
  for (let n = 0; n < 2; n++)
    expect(await unlike(hashOf(reply))).toMatchObject({ status: 200, body: { success: true } });
  expect(await events()).toBe(before + 1);
  expect(await seen(reply)).toMatchObject({ likes: 0, liked: false });
});

test('like, unlike, like within one second ends liked, and the other way round', async () => {
  const { quote } = seeded.casts;
  for (const [last, liked] of [
    [like, true],
    [unlike, false],
  ] as const) {
    const calls = [like, unlike, like, unlike, like, unlike];
    for (const call of calls) expect((await call(hashOf(quote))).status).toBe(200);
    await last(hashOf(quote));
    expect(await seen(quote)).toMatchObject({ likes: liked ? 2 : 1, liked });
  }
});

test('many writes about one thing at once all succeed, and leave one of their states', async () => {
  const { hello } = seeded.casts;
  const calls = Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? like : unlike)(hashOf(hello)));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  const { likes, liked } = await seen(hello);
  expect(likes).toBe(liked ? 4 : 3);
  await unlike(hashOf(hello));
  expect(await seen(hello)).toMatchObject({ likes: 3, liked: false });
});

test('a message dated ahead of the clock is followed by one dated after it, as far as hubs allow', async () => {
  const { channel } = seeded.casts;
  const ahead = fromUnixMs(Date.now()) + 300;
  await seeded.send(seeded.carol.react('like', channel, ahead));
  expect(await seen(channel, FIDS.carol)).toMatchObject({ liked: true });
  expect(await unlike(hashOf(channel), { signer_uuid: carol })).toMatchObject({ status: 200 });
  expect(await seen(channel, FIDS.carol)).toMatchObject({ liked: false });

  // Only a hub that is set wrong takes one so far ahead.
  await network.app.core.db.run('update message set ts = $2 where fid = $1 and ts = $3', [
    FIDS.carol,
    fromUnixMs(Date.now()) + 700,
    ahead + 1,
  ]);
  const refused = await like(hashOf(channel), { signer_uuid: carol });
  expect(refused).toMatchObject({ status: 409, body: { code: 'Conflict', message: expect.stringContaining('600 s') } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(90);
  await network.app.core.db.run('update message set ts = $2 where fid = $1 and ts > $3', [
    FIDS.carol,
    ahead + 1,
    ahead + 1,
  ]);
});

test('a URL is liked as the protocol has it', async () => {
  const url = 'https://news.example/beans';
  expect(await like(url)).toMatchObject({ status: 200 });
  const { data } = decodeMessage(envelopeOf((await stored()).find((row) => row.targetFid === 0) as MessageRow));
  expect(data.reactionBody).toMatchObject({ targetUrl: url, targetCastId: undefined });
  expect(await unlike(url)).toMatchObject({ status: 200 });
});

test('a cast that is not stored needs its author, and can be unliked the same way', async () => {
  const target = `0x${'7'.repeat(40)}`;
  expect(await like(target)).toMatchObject({
    status: 404,
    body: { property: 'target', message: expect.stringContaining('target_author_fid') },
  });
  expect(await like(target, { target_author_fid: FIDS.alice })).toMatchObject({ status: 200 });
  expect(await unlike(target, { target_author_fid: FIDS.alice })).toMatchObject({ status: 200 });
  // Without 0x and in capitals it is the same cast.
  const hello = hashOf(seeded.casts.hello).slice(2).toUpperCase();
  expect(await like(hello)).toMatchObject({ status: 200 });
  expect(await seen(seeded.casts.hello)).toMatchObject({ liked: true });
  expect(await unlike(hello)).toMatchObject({ status: 200 });
});

const HASH = `0x${'7'.repeat(40)}`;
test.each([
  [{ target: 'beans' }, 400, 'target'],
  [{ target: '' }, 400, 'target'],
  [{ target: '0x1234' }, 400, 'target'],
  [{ target: `https://news.example/${'a'.repeat(300)}` }, 400, 'target'],
  [{ target: `https://news.example/\u0000` }, 400, 'target'],
  [{ target: undefined }, 400, 'target'],
  [{ target: 7 }, 400, 'target'],
  [{ target: HASH, target_author_fid: 0 }, 400, 'target_author_fid'],
  [{ target: HASH, target_author_fid: 2 ** 53 }, 400, 'target_author_fid'],
  [{ target: 'https://news.example/', target_author_fid: 2 }, 400, 'target_author_fid'],
  [{ target: HASH, reaction_type: 'love' }, 400, 'reaction_type'],
  [{ target: HASH, reaction_type: undefined }, 400, 'reaction_type'],
  [{ target: HASH, signer_uuid: undefined }, 400, 'signer_uuid'],
  [{ target: HASH, signer_uuid: 'mine' }, 400, 'signer_uuid'],
  [{ target: HASH, signer_uuid: '00000000-0000-4000-8000-000000000000' }, 404, 'signer_uuid'],
  [{ target: HASH, idem: '' }, 400, 'idem'],
  [{ target: HASH, idem: 5 }, 400, 'idem'],
])('bad input names what is wrong: %j', async (change, status, property) => {
  for (const method of ['POST', 'DELETE'] as const) {
    const answer = await react(method, HASH, change);
    expect([answer.status, answer.body.property]).toEqual([status, property]);
  }
});

test('a wrong author of a stored cast is told', async () => {
  const answer = await like(hashOf(seeded.casts.hello), { target_author_fid: FIDS.bob });
  expect(answer).toMatchObject({
    status: 400,
    body: { property: 'target_author_fid', message: expect.stringContaining(String(FIDS.alice)) },
  });
});

test('a signer that lacks the permission, or is not approved, is refused', async () => {
  const target = hashOf(seeded.casts.hello);
  const narrow = await approvedSigner(network, seeded.dan, { permissions: ['PUBLISH_REACTION'] });
  expect(await like(target, { signer_uuid: narrow.uuid })).toMatchObject({ status: 200 });
  expect(await unlike(target, { signer_uuid: narrow.uuid })).toMatchObject({
    status: 403,
    body: { property: 'signer_uuid', message: expect.stringContaining('DELETE_REACTION') },
  });
  const { body } = await network.send('POST', '/v2/social/signer/', undefined);
  expect(await like(target, { signer_uuid: body.signer_uuid })).toMatchObject({
    status: 403,
    body: { property: 'signer_uuid' },
  });
});

test('an account without storage is told so, and the message is not stored', async () => {
  await network.load([author({ seed: 'without storage', fid: 4_711 }).register()]);
  const poor = await approvedSigner(network, 4_711);
  const answer = await like(hashOf(seeded.casts.hello), { signer_uuid: poor.uuid });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'InvalidMessage', property: 'signer_uuid', message: expect.stringContaining('no storage') },
  });
});

test('all counters are what the messages say', async () => {
  expect(await audit(network.app.core.db)).toEqual([]);
});
