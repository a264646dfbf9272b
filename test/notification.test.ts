import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createKey } from '../src/access/key.js';
import { fromUnixMs } from '../src/protocol/time.js';
import {
  brief,
  hashOf,
  type NotificationFlow,
  recordsOf,
  startNotificationFlow,
  typesOf,
} from './support/notification.js';
import { FIDS } from './support/seed.js';

const DAY = 86_400;
let flow: NotificationFlow;
beforeAll(async () => {
  flow = await startNotificationFlow();
});
afterAll(() => flow.network.stop());
beforeEach(async () => {
  for (const table of ['notification_seen', 'mute', 'ban']) await flow.run(`delete from ${table}`);
});

test('everything that happened to someone comes newest first, grouped', async () => {
  const { of, seeded } = flow;
  const { hello, reply, emoji } = seeded.casts;
  const answer = await of(FIDS.alice);
  expect(brief(answer)).toEqual([
    ['follows', 3, [FIDS.dan, FIDS.carol, FIDS.bob]],
    ['recasts', 1, [FIDS.carol]],
    ['likes', 3, [FIDS.erin, FIDS.dan, FIDS.carol]],
    ['mention', 1, []],
    ['reply', 1, []],
  ]);
  const [follows, recasts, likes, mention, answered] = answer.body.notifications;
  expect(follows.follows[0]).toMatchObject({
    object: 'follower',
    user: { object: 'user', fid: FIDS.dan },
    app: { fid: FIDS.app },
  });
  expect(recasts).toMatchObject({ object: 'notification', seen: false, cast: { object: 'cast', hash: hashOf(hello) } });
  expect(likes.reactions[0]).toMatchObject({
    object: 'likes',
    cast: { object: 'cast_dehydrated', hash: hashOf(hello), author: { fid: FIDS.alice } },
    user: { object: 'user', fid: FIDS.erin, viewer_context: { following: false } },
  });
  expect(mention.cast).toMatchObject({ hash: hashOf(emoji), type: 'cast-mention', author: { fid: FIDS.dan } });
  expect(answered.cast).toMatchObject({ hash: hashOf(reply), type: 'cast-reply', viewer_context: { liked: false } });
  expect(answer.body).toMatchObject({ unseen_notifications_count: 5, next: { cursor: null } });
  const times = recordsOf(answer).map((record) => record.most_recent_timestamp);
  expect(times).toEqual([...times].sort().reverse());
});

test('a quote stands alone and needs no cast type', async () => {
  const { of, seeded } = flow;
  const answer = await of(FIDS.bob, '&type=quotes');
  expect(typesOf(answer)).toEqual(['quote']);
  expect(recordsOf(answer)[0]?.cast).toMatchObject({ hash: hashOf(seeded.casts.quote) });
  expect(recordsOf(answer)[0]?.cast?.type).toBeUndefined();
});

test('the filter takes plural words, several of them', async () => {
  const { of } = flow;
  expect(typesOf(await of(FIDS.alice, '&type=likes,replies'))).toEqual(['likes', 'reply']);
  expect(typesOf(await of(FIDS.alice, '&type=mentions'))).toEqual(['mention']);
  expect((await of(FIDS.alice, '&type=follows')).body.unseen_notifications_count).toBe(1);
});

test('an unknown fid has none', async () => {
  const { of } = flow;
  expect(await of(4_242)).toMatchObject({
    status: 200,
    body: { notifications: [], unseen_notifications_count: 0, next: { cursor: null } },
  });
});

test('own likes, replies, quotes and mentions notify nobody and are not counted', async () => {
  const { join, of, seeded } = flow;
  const me = await join();
  const cast = me.cast({ text: ['me, ', me.fid] });
  await seeded.send(
    cast,
    me.react('like', cast),
    me.cast({ text: 'more', parent: cast }),
    me.cast({ text: 'see', embeds: [cast] }),
  );
  expect((await of(me.fid)).body).toMatchObject({ notifications: [], unseen_notifications_count: 0 });
  await seeded.send(seeded.bob.react('like', cast));
  const before = recordsOf(await of(me.fid));
  await seeded.send(me.unreact('like', cast), me.react('like', cast));
  expect(recordsOf(await of(me.fid))).toEqual(before);
  expect(before).toMatchObject([{ type: 'likes', count: 1 }]);
});

test('a cast that answers, quotes and mentions is one record: a reply before a quote before a mention', async () => {
  const { join, of, seeded } = flow;
  const me = await join();
  const mine = me.cast({ text: 'mine' });
  const other = me.cast({ text: 'mine too' });
  const all = seeded.bob.cast({ text: ['look ', me.fid], parent: mine, embeds: [mine, other] });
  const quote = seeded.bob.cast({ text: ['hey ', me.fid], embeds: [mine, other] });
  const mention = seeded.bob.cast({ text: ['ho ', me.fid, me.fid] });
  await seeded.send(mine, other, all, quote, mention);
  const answer = await of(me.fid);
  expect(recordsOf(answer).map(({ type, cast }) => [type, cast?.hash])).toEqual([
    ['mention', hashOf(mention)],
    ['quote', hashOf(quote)],
    ['reply', hashOf(all)],
  ]);
  expect(answer.body.unseen_notifications_count).toBe(3);
  expect(typesOf(await of(me.fid, '&type=mentions'))).toEqual(['mention']);
});

test('an answer that mentions whom it answers goes with the cast that it answers', async () => {
  const { join, of, seeded } = flow;
  const me = await join();
  const mine = me.cast({ text: 'mine' });
  await seeded.send(mine, seeded.bob.cast({ text: ['yes, ', me.fid], parent: mine }));
  await seeded.send(seeded.bob.cast({ text: ['see, ', me.fid], embeds: [mine] }));
  expect(typesOf(await of(me.fid))).toEqual(['quote', 'reply']);
  await seeded.send(me.removeCast(mine.hash));
  expect((await of(me.fid)).body).toMatchObject({ notifications: [], unseen_notifications_count: 0 });
});

test('a like taken back leaves the group, the last one takes the group along', async () => {
  const { join, of, seeded } = flow;
  const me = await join();
  const cast = me.cast({ text: 'like this' });
  await seeded.send(cast, ...[seeded.bob, seeded.carol].map((who) => who.react('like', cast)));
  expect(brief(await of(me.fid))).toEqual([['likes', 2, [FIDS.carol, FIDS.bob]]]);
  await seeded.send(seeded.carol.unreact('like', cast));
  expect(brief(await of(me.fid))).toEqual([['likes', 1, [FIDS.bob]]]);
  await seeded.send(seeded.bob.unreact('like', cast));
  expect((await of(me.fid)).body).toMatchObject({ notifications: [], unseen_notifications_count: 0 });
});

test('a cast that is gone takes along what was about it', async () => {
  const { join, of, seeded } = flow;
  const me = await join();
  const cast = me.cast({ text: 'popular' });
  const mention = seeded.dan.cast({ text: ['psst ', me.fid] });
  await seeded.send(cast, mention, seeded.bob.react('like', cast), seeded.bob.cast({ text: 'indeed', parent: cast }));
  expect(typesOf(await of(me.fid))).toEqual(['reply', 'likes', 'mention']);
  await seeded.send(me.removeCast(cast.hash));
  expect(typesOf(await of(me.fid))).toEqual(['mention']);
  await seeded.send(seeded.dan.removeCast(mention.hash));
  expect((await of(me.fid)).body).toMatchObject({ notifications: [], unseen_notifications_count: 0 });
});

test('follows group by day of UTC', async () => {
  const { join, of, seeded } = flow;
  const me = await join();
  const today = seeded.clock.now() - (seeded.clock.now() % DAY);
  await seeded.send(
    seeded.bob.follow(me.fid, today),
    seeded.carol.follow(me.fid, today - 1),
    seeded.dan.follow(me.fid, today - DAY),
    seeded.erin.follow(me.fid, today - DAY - 1),
  );
  const all = [
    ['follows', 1, [FIDS.bob]],
    ['follows', 2, [FIDS.carol, FIDS.dan]],
    ['follows', 1, [FIDS.erin]],
  ];
  const answer = await of(me.fid);
  expect(brief(answer)).toEqual(all);
  expect(answer.body.unseen_notifications_count).toBe(3);
  const found: unknown[] = [];
  for (let cursor = ''; found.length < 4; ) {
    const page = await of(me.fid, `&limit=1${cursor}`);
    found.push(...brief(page));
    if (page.body.next.cursor === null) break;
    cursor = `&cursor=${page.body.next.cursor}`;
  }
  expect(found).toEqual(all);
});

test('whom the fid muted, a block stands between or the app banned is nowhere: not in groups, counts or order', async () => {
  const { appId, join, of, run, seeded } = flow;
  const me = await join();
  const [old, recent] = [me.cast({ text: 'old' }), me.cast({ text: 'recent' })];
  const { bob, carol, dan, erin, frank } = seeded;
  await seeded.send(
    old,
    recent,
    bob.react('like', old),
    carol.react('like', old),
    bob.react('like', recent),
    dan.react('like', old),
  );
  await seeded.send(
    dan.cast({ text: ['hi ', me.fid] }),
    dan.follow(me.fid),
    erin.react('like', recent),
    frank.react('recast', old),
  );
  expect(typesOf(await of(me.fid))).toEqual(['recasts', 'likes', 'follows', 'mention', 'likes']);
  await run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [me.fid, appId, FIDS.dan]);
  await run('insert into ban (fid, app_id) values ($1, $2)', [FIDS.frank, appId]);
  await seeded.send(erin.link('block', me.fid));
  const answer = await of(me.fid);
  expect(brief(answer)).toEqual([
    ['likes', 1, [FIDS.bob]],
    ['likes', 2, [FIDS.carol, FIDS.bob]],
  ]);
  expect(recordsOf(answer).map(({ cast }) => cast?.hash)).toEqual([hashOf(recent), hashOf(old)]);
  expect(answer.body.unseen_notifications_count).toBe(2);
  // Found by the hidden dan's like, the old cast is above the recent one; it belongs below, on the second page.
  const first = await of(me.fid, '&limit=1');
  const second = await of(me.fid, `&limit=1&cursor=${first.body.next.cursor}`);
  expect([first, second].map((page) => recordsOf(page)[0]?.cast?.hash)).toEqual([hashOf(recent), hashOf(old)]);
  expect(second.body.next.cursor).toBeNull();
});

test('marking as seen applies to one type or all, and not to notifications that arrive later', async () => {
  const { join, mark, of, seeded } = flow;
  const me = await join();
  const cast = me.cast({ text: 'see' });
  await seeded.send(cast, seeded.bob.react('like', cast), seeded.bob.cast({ text: 'seen', parent: cast }));
  const seen = async () => recordsOf(await of(me.fid)).map((record) => [record.type, record.seen]);
  expect(await mark({ fid: me.fid, type: 'likes' })).toMatchObject({ status: 200, body: { success: true } });
  expect(await seen()).toEqual([
    ['reply', false],
    ['likes', true],
  ]);
  expect((await of(me.fid)).body.unseen_notifications_count).toBe(1);
  await mark({ fid: me.fid });
  expect(await seen()).toEqual([
    ['reply', true],
    ['likes', true],
  ]);
  expect((await of(me.fid)).body.unseen_notifications_count).toBe(0);
  // Signed before the mark was made, but it came later: nobody saw it.
  await seeded.send(seeded.carol.react('like', cast));
  expect(await seen()).toEqual([
    ['likes', false],
    ['reply', true],
  ]);
  expect((await of(me.fid)).body.unseen_notifications_count).toBe(1);
  expect((await of(me.fid, '&type=replies')).body.unseen_notifications_count).toBe(0);
});

test('what is dated ahead of now leaves what came before it to be marked, in the same group and in others', async () => {
  const { join, mark, of, run, seeded } = flow;
  const me = await join();
  const [one, two] = [me.cast({ text: 'one' }), me.cast({ text: 'two' })];
  await seeded.send(one, two, seeded.bob.react('like', one), seeded.bob.react('like', two));
  const { bob, carol } = seeded;
  const ahead = fromUnixMs(Date.now()) + 300;
  await seeded.send(carol.react('like', one, ahead), carol.react('like', two, ahead), bob.react('recast', one));
  const seen = async () => recordsOf(await of(me.fid)).map((record) => [record.type, record.cast?.hash, record.seen]);
  const all = [
    ['recasts', hashOf(one)],
    ['likes', hashOf(two)],
    ['likes', hashOf(one)],
  ];
  expect(await seen()).toEqual(all.map((record) => [...record, false]));
  await mark({ fid: me.fid });
  expect(await seen()).toEqual(all.map((record) => [...record, true]));
  expect((await of(me.fid)).body.unseen_notifications_count).toBe(0);
  // When its time comes it is new: as if ten minutes had passed.
  await run('update reaction set ts = $1 where target_fid = $2 and fid = $3', [ahead - 300, me.fid, FIDS.carol]);
  await run('update reaction_group set latest_ts = $1 where target_fid = $2 and type = 1', [ahead - 300, me.fid]);
  expect((await of(me.fid, '&type=likes')).body.unseen_notifications_count).toBe(2);
});

test('marking as seen affects only the calling app and the given account', async () => {
  const { mark, network, of, run } = flow;
  const { body } = await of(FIDS.alice);
  await mark({ fid: FIDS.alice });
  expect((await of(FIDS.bob)).body.unseen_notifications_count).toBeGreaterThan(0);
  const { db } = network.app.core;
  const other = await createKey(db, { name: 'another app', now: new Date() });
  const [{ id }] = (await run<{ id: string }>(
    `insert into app (organization_id, name) select organization_id, 'another' from app limit 1 returning id`,
  )) as [{ id: string }];
  await run('update api_key set app_id = $1 where id = $2', [id, other.id]);
  const there = await network.get(`/v2/social/notifications/?fid=${FIDS.alice}`, { 'x-api-key': other.secret });
  expect(there.body).toEqual(body);
  const refused = await mark({ fid: FIDS.alice }, { 'x-api-key': other.secret });
  expect(refused).toMatchObject({ status: 401, body: { code: 'InsufficientScope' } });
});

test.each([
  [{}, {}, 'signer_uuid'],
  [{ fid: 0 }, {}, 'fid'],
  [{ fid: 2, type: 'mention' }, {}, 'type'],
  [{ signer_uuid: 'mine' }, {}, 'signer_uuid'],
])('marking needs to know whose: %j %j', async (body, headers, property) => {
  expect(await flow.mark(body, headers)).toMatchObject({
    status: 400,
    body: { property },
  });
});

test.each([
  ['', 'fid'],
  ['fid=0', 'fid'],
  ['fid=2&type=mention', 'type'],
  ['fid=2&limit=0', 'limit'],
  ['fid=2&limit=26', 'limit'],
  ['fid=2&cursor=AAAA', 'cursor'],
])('bad input names what is wrong: %s', async (query, property) => {
  const answer = await flow.network.get(`/v2/social/notifications/?${query}`);
  expect(answer).toMatchObject({ status: 400, body: { property: expect.stringContaining(property) } });
});
