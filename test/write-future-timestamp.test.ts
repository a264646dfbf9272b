import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** Protocol timestamps are whole seconds, so that what is changed to and fro is dated ahead of the clock. */

let network: Network;
let seeded: Seeded;
let signer_uuid: string;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  signer_uuid = (await approvedSigner(network, FIDS.grace)).uuid;
});
afterAll(() => network.stop());

const get = async (path: string) => (await network.get(`/v2/social/${path}`)).body;

/** Ends as it began: with a POST. */
const TURNS = ['POST', 'DELETE', 'POST', 'DELETE', 'POST', 'DELETE', 'POST'];
const toAndFro = async (path: string, body: object): Promise<void> => {
  for (const method of TURNS) {
    const answer = await network.send(method, `/v2/social/${path}`, { signer_uuid, ...body });
    expect([answer.status, answer.body.success]).toEqual([200, true]);
  }
};
const fidsOf = (items: { user: { fid: number } }[]): number[] => items.map(({ user }) => user.fid);

test('a like after several others of the same cast is in the next response of every list', async () => {
  const target = `0x${Buffer.from(seeded.casts.hello.hash).toString('hex')}`;
  await toAndFro('reaction/', { reaction_type: 'like', target });
  expect((await get(`reactions/user/?fid=${FIDS.grace}&type=likes`)).reactions).toMatchObject([
    { cast: { hash: target } },
  ]);
  expect(fidsOf((await get(`reactions/cast/?hash=${target}&types=likes`)).reactions)).toContain(FIDS.grace);
  const [likes] = (await get(`notifications/?fid=${FIDS.alice}&type=likes`)).notifications;
  expect([likes.count, fidsOf(likes.reactions)[0]]).toEqual([4, FIDS.grace]);
});

test('a recast is at once in the feed of a follower', async () => {
  await seeded.send(seeded.heidi.follow(FIDS.grace));
  const target = `0x${Buffer.from(seeded.casts.quote.hash).toString('hex')}`;
  await toAndFro('reaction/', { reaction_type: 'recast', target });
  expect((await get(`feed/following/?fid=${FIDS.heidi}`)).casts).toMatchObject([{ hash: target }]);
});

test('a follow is visible at once and can be marked as seen', async () => {
  await toAndFro('user/follow/', { target_fids: [FIDS.alice] });
  for (const sort of ['desc_chron', 'algorithmic']) {
    expect(fidsOf((await get(`followers/?fid=${FIDS.alice}&sort_type=${sort}`)).users)).toContain(FIDS.grace);
    expect(fidsOf((await get(`following/?fid=${FIDS.grace}&sort_type=${sort}`)).users)).toEqual([FIDS.alice]);
  }
  const [follows] = (await get(`notifications/?fid=${FIDS.alice}&type=follows`)).notifications;
  expect(fidsOf(follows.follows)[0]).toBe(FIDS.grace);
  await network.send('POST', '/v2/social/notifications/seen/', { fid: FIDS.alice });
  expect((await get(`notifications/?fid=${FIDS.alice}`)).unseen_notifications_count).toBe(0);
});

test('pages that begin ahead of the clock contain everything once', async () => {
  const path = `reactions/cast/?hash=0x${Buffer.from(seeded.casts.hello.hash).toString('hex')}&types=all`;
  const whole = (await get(path)).reactions as { user: { fid: number }; reaction_type: string }[];
  const seen: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await get(`${path}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.reactions);
    cursor = page.next.cursor;
  }
  expect(seen).toEqual(whole);
});
