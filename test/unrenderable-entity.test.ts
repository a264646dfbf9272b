import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../src/log.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

/*
 * A row that breaks a rule of its table (here a time that is none) must not take the pages of others with it.
 */

let network: Network;
let seeded: Seeded;
const lines: { level: number; entity?: string; err?: { message: string } }[] = [];
beforeAll(async () => {
  const log = createLog('error', { write: (line) => lines.push(JSON.parse(line)) });
  network = await startNetwork({}, log);
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  await network.sql("update account set registered_at = 'infinity' where fid = $1", [FIDS.carol]);
});
afterAll(() => network.stop());
beforeEach(() => void lines.splice(0));

const reported = (): unknown[] => lines.map(({ level, entity }) => [level, entity]);
const ERROR = 50;

test.each(['/v2/social', '/v2/farcaster'])(
  '%s: a user that cannot be rendered drops out of lists, with an error in the log',
  async (prefix) => {
    const followers = await network.get(`${prefix}/followers/?fid=${FIDS.alice}`);
    expect(followers.status).toBe(200);
    expect(followers.body.users.map((one: { user: { fid: number } }) => one.user.fid)).toEqual([FIDS.dan, FIDS.bob]);
    expect(reported()).toEqual([[ERROR, `user ${FIDS.carol}`]]);
    expect(lines[0]?.err?.message).toBe('Invalid time value');
    const users = await network.get(`${prefix}/user/bulk/?fids=${FIDS.alice},${FIDS.carol},${FIDS.bob}`);
    expect(users.body.users.map((one: { fid: number }) => one.fid)).toEqual([FIDS.alice, FIDS.bob]);
  },
);

test('casts, reactions, blocks, mutes and bans of that user are left out, and the rest of each page is shown', async () => {
  const { hello, reply, deepReply } = seeded.casts;
  const hex = (hash: Uint8Array): string => `0x${Buffer.from(hash).toString('hex')}`;
  // The first is a recast of hers.
  const feed = await network.get('/v2/social/feed/?feed_type=filter&filter_type=fids&fids=3,4');
  expect(feed.body.casts.map((cast: { author: { fid: number } }) => cast.author.fid)).toEqual([
    FIDS.alice,
    FIDS.bob,
    FIDS.bob,
  ]);
  expect(reported()).toEqual([[ERROR, `cast ${hex(deepReply.hash)}`]]);
  const path = `/v2/social/cast/conversation/?type=hash&reply_depth=5&identifier=${hex(hello.hash)}`;
  const [answer] = (await network.get(path)).body.conversation.cast.direct_replies;
  expect([answer.hash, answer.direct_replies]).toEqual([hex(reply.hash), []]);
  const reactions = await network.get(`/v2/social/reactions/cast/?hash=${hex(hello.hash)}&types=likes`);
  expect(reactions.body.reactions.map((one: { user: { fid: number } }) => one.user.fid)).toEqual([FIDS.erin, FIDS.dan]);
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.carol, FIDS.grace] });
  const bans = await network.get('/v2/social/ban/list/');
  expect(bans.body.bans.map((ban: { banned: { fid: number } }) => ban.banned.fid)).toEqual([FIDS.grace]);
  await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.carol, FIDS.grace] });
  await network.send('POST', '/v2/social/mute/', { fid: FIDS.bob, muted_fid: FIDS.carol });
  expect((await network.get(`/v2/social/mute/list/?fid=${FIDS.bob}`)).body.mutes).toEqual([]);
});

test('what is asked for by itself and cannot be rendered is an error, never a broken answer', async () => {
  const answer = await network.get('/v2/social/user/by_username/?username=carol');
  expect([answer.status, answer.body.code]).toEqual([500, 'InternalServerError']);
});
