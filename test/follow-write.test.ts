import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { author } from '../src/sample/author.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
let seeded: Seeded;
let heidi: string;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  heidi = (await approvedSigner(network, seeded.heidi)).uuid;
});
afterAll(() => network.stop());

const write = (method: 'POST' | 'DELETE', fids: unknown, more: Record<string, unknown> = {}): Promise<TestResponse> =>
  network.send(method, '/v2/social/user/follow/', { signer_uuid: heidi, target_fids: fids, ...more });
const follow = (...fids: number[]) => write('POST', fids);
const unfollow = (...fids: number[]) => write('DELETE', fids);

/** Whom heidi follows, by three roads, in the very next requests. */
const followed = async (): Promise<number[]> => {
  const others = Object.values(FIDS).filter((fid) => fid !== FIDS.heidi);
  const { body } = await network.get(`/v2/social/user/bulk/?fids=${others},${FIDS.heidi}&viewer_fid=${FIDS.heidi}`);
  const users: { fid: number; following_count: number; viewer_context: { following: boolean } }[] = body.users;
  const seen = users.filter((user) => user.viewer_context.following).map(({ fid }) => fid);
  expect(users.find(({ fid }) => fid === FIDS.heidi)?.following_count).toBe(seen.length);
  const list = await network.get(`/v2/social/following/?fid=${FIDS.heidi}&limit=100`);
  const listed: number[] = list.body.users.map((one: { user: { fid: number } }) => one.user.fid);
  expect(listed.sort()).toEqual(seen.sort());
  return seen;
};

test('follows show in the very next request, each with the hash of its message', async () => {
  const answer = await follow(FIDS.alice, FIDS.bob, FIDS.alice);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      success: true,
      details: [
        { target_fid: FIDS.alice, success: true, hash: expect.stringMatching(/^0x[0-9a-f]{40}$/) },
        { target_fid: FIDS.bob, success: true },
      ],
    },
  });
  expect(answer.body.details).toHaveLength(2);
  expect(await followed()).toEqual([FIDS.alice, FIDS.bob]);
  const link = await network.get(`/v1/linkById?fid=${FIDS.heidi}&target_fid=${FIDS.alice}&link_type=follow`);
  expect(link.body.hash).toBe(answer.body.details[0].hash);
});

test('following again and unfollowing again is no error and changes nothing', async () => {
  const first = await follow(FIDS.alice, FIDS.carol);
  const again = await follow(FIDS.alice, FIDS.carol);
  expect(again.body).toEqual(first.body);
  expect(await followed()).toEqual([FIDS.alice, FIDS.bob, FIDS.carol]);
  for (let n = 0; n < 2; n++) {
    expect(await unfollow(FIDS.alice, FIDS.dan)).toMatchObject({ status: 200, body: { success: true } });
    expect(await followed()).toEqual([FIDS.bob, FIDS.carol]);
  }
});

test('follow, unfollow, follow within one second ends followed', async () => {
  for (const call of [follow, unfollow, follow, unfollow, follow]) {
    expect((await call(FIDS.erin)).status).toBe(200);
  }
  expect(await followed()).toContain(FIDS.erin);
  await unfollow(FIDS.erin);
  expect(await followed()).not.toContain(FIDS.erin);
});

test('a follow comes after the compact state that rules older ones out', async () => {
  const { heidi: account } = seeded;
  // Signed elsewhere and dated ahead: all follows but that of bob are void.
  const ahead = Math.floor(Date.now() / 1000) - 1_609_459_200 + 200;
  await seeded.send(account.compactLinks('follow', [FIDS.bob], ahead));
  expect(await followed()).toEqual([FIDS.bob]);
  expect(await follow(FIDS.grace)).toMatchObject({ status: 200, body: { success: true } });
  expect(await followed()).toEqual([FIDS.bob, FIDS.grace]);
  // Void, not in force: it must be written again.
  expect(await follow(FIDS.carol)).toMatchObject({ status: 200, body: { success: true } });
  expect(await followed()).toEqual([FIDS.bob, FIDS.carol, FIDS.grace]);
});

test('a hundred at once, whether anybody has registered them here or not', async () => {
  const fids = Array.from({ length: 100 }, (_, n) => 10_000 + n);
  const answer = await follow(...fids);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect(answer.body.details.map(({ target_fid }: { target_fid: number }) => target_fid)).toEqual(fids);
  expect(new Set(answer.body.details.map(({ hash }: { hash: string }) => hash)).size).toBe(100);
  const { body } = await network.get(`/v1/linksByFid?fid=${FIDS.heidi}&pageSize=200`);
  expect(body.messages).toHaveLength(103);
  expect(await unfollow(...fids)).toMatchObject({ status: 200, body: { success: true } });
});

test.each([
  [[], 'target_fids'],
  [[FIDS.alice, FIDS.heidi], 'target_fids'],
  [[0], 'target_fids'],
  [[1.5], 'target_fids'],
  [[2 ** 53], 'target_fids'],
  [[1e300], 'target_fids'],
  [['2'], 'target_fids'],
  [Array.from({ length: 101 }, (_, n) => n + 100), 'target_fids'],
  [FIDS.alice, 'target_fids'],
  [undefined, 'target_fids'],
])('bad input names what is wrong: %j', async (fids, property) => {
  for (const method of ['POST', 'DELETE'] as const) {
    const answer = await write(method, fids);
    expect([answer.status, answer.body.property]).toEqual([400, property]);
  }
});

test('when nothing can be written, the reason is the answer', async () => {
  await network.load([author({ seed: 'without storage', fid: 4_711 }).register()]);
  const poor = await approvedSigner(network, 4_711);
  expect(await write('POST', [FIDS.alice, FIDS.bob], { signer_uuid: poor.uuid })).toMatchObject({
    status: 400,
    body: { property: 'signer_uuid', message: expect.stringContaining('no storage') },
  });
  const narrow = await approvedSigner(network, seeded.dan, { permissions: ['UNFOLLOW_USER'] });
  expect(await write('POST', [FIDS.erin], { signer_uuid: narrow.uuid })).toMatchObject({ status: 403 });
  expect(await write('DELETE', [FIDS.alice], { signer_uuid: narrow.uuid })).toMatchObject({ status: 200 });
});

test('a follow change that cannot be written yet fails alone, and the others are reported as written', async () => {
  const { body } = await follow(FIDS.alice, FIDS.bob);
  const ofBob = [FIDS.heidi, Buffer.from(body.details[1].hash.slice(2), 'hex')] as const;
  // Only a hub that is set wrong takes one so far ahead.
  await network.sql('update message set ts = ts + 10000 where fid = $1 and hash = $2', ofBob);
  const answer = await unfollow(FIDS.alice, FIDS.bob);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      success: false,
      details: [
        { target_fid: FIDS.alice, success: true },
        { target_fid: FIDS.bob, success: false, hash: expect.stringMatching(/^0x[0-9a-f]{40}$/) },
      ],
    },
  });
  const alone = await unfollow(FIDS.bob);
  expect(alone).toMatchObject({ status: 409, body: { message: expect.stringContaining('600 s') } });
  expect(Number(alone.headers.get('retry-after'))).toBeGreaterThan(9_000);
  await network.sql('update message set ts = ts - 10000 where fid = $1 and hash = $2', ofBob);
});

test('all counters are what the messages say', async () => {
  expect(await audit(network.app.core.db)).toEqual([]);
});
