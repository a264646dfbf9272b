import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import { storeChannels } from './support/channel.js';
import {
  actorsOf,
  brief,
  checked,
  hashOf,
  type NotificationFlow,
  type Notified,
  recordsOf,
  startNotificationFlow,
  typesOf,
} from './support/notification.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { CHANNEL_URL, FIDS } from './support/seed.js';

let flow: NotificationFlow;
beforeAll(async () => {
  flow = await startNotificationFlow();
});
afterAll(() => flow.network.stop());
beforeEach(async () => {
  for (const table of ['notification_seen', 'mute', 'ban']) await flow.run(`delete from ${table}`);
});

test('a page is full although ten thousand muted people liked most casts', async () => {
  const { appId, join, of, run, seeded } = flow;
  const me = await join();
  const casts = Array.from({ length: 30 }, (_, n) => me.cast({ text: `cast ${n}` }));
  await seeded.send(
    ...casts,
    seeded.bob.react('like', casts[3] as Signed),
    seeded.bob.react('like', casts[20] as Signed),
  );
  const later = seeded.clock.now() + 1;
  await run(`insert into mute (fid, app_id, muted_fid) select $1, $2, 1000000 + n from generate_series(1, 10000) n`, [
    me.fid,
    appId,
  ]);
  await run(
    `insert into reaction (target_fid, target_hash, type, ts, hash, fid)
     select $1, c.hash, 1, $2 + n, decode(lpad(to_hex(n), 40, '0'), 'hex'), 1000000 + n
       from "cast" c, generate_series(1, 300) n where c.fid = $1`,
    [me.fid, later],
  );
  await run(
    `insert into reaction_group select target_fid, target_hash, type, max(ts) from reaction where target_fid = $1
      group by 1, 2, 3 on conflict (target_fid, target_hash, type) do update set latest_ts = excluded.latest_ts`,
    [me.fid],
  );
  const answer = await of(me.fid, '&limit=2');
  expect(recordsOf(answer).map(({ cast }) => cast?.hash)).toEqual(
    [casts[20], casts[3]].map((cast) => hashOf(cast as Signed)),
  );
  expect(answer.body).toMatchObject({ unseen_notifications_count: 2, next: { cursor: null } });
});

test('large groups name the newest ten and count by the counter, without own and newest hidden ones', async () => {
  const { appId, join, of, run, seeded } = flow;
  const me = await join();
  const cast = me.cast({ text: 'a hit' });
  await seeded.send(cast, me.react('like', cast), seeded.bob.react('like', cast));
  const { carol, dan, erin, frank, grace, heidi } = seeded;
  const people = [carol, dan, erin, frank, grace, heidi];
  const target = `decode('${hashOf(cast).slice(2)}', 'hex')`;
  await run(
    `insert into reaction (target_fid, target_hash, type, ts, hash, fid)
     select $1, ${target}, 1, $2 - n, decode(lpad(to_hex(n), 40, '0'), 'hex'), 2000000 + n from generate_series(1, 498) n`,
    [me.fid, seeded.clock.now() - 10],
  );
  await run(`update cast_count set like_count = like_count + 498 where hash = ${target}`);
  await seeded.send(...people.map((who) => who.react('like', cast)));
  const likes = recordsOf(await of(me.fid))[0];
  expect(likes?.count).toBe(505);
  expect(likes && actorsOf(likes)).toEqual([...people.map((who) => who.fid).reverse(), FIDS.bob]);
  await run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [me.fid, appId, FIDS.heidi]);
  const fewer = recordsOf(await of(me.fid))[0];
  expect(fewer?.count).toBe(504);
  expect(fewer && actorsOf(fewer)[0]).toBe(FIDS.grace);
});

test('the unseen count is exact up to 1,000, and stands still beyond', async () => {
  const { appId, join, mark, of, run, seeded } = flow;
  const me = await join();
  const cast = me.cast({ text: 'hello' });
  const { bob, carol, dan } = seeded;
  await seeded.send(
    cast,
    bob.react('like', cast),
    carol.react('like', cast),
    bob.react('recast', cast),
    bob.follow(me.fid),
  );
  await seeded.send(dan.cast({ text: 'hi', parent: cast }), dan.cast({ text: 'so', embeds: [cast] }));
  const unseen = async (more = '') => (await of(me.fid, more)).body.unseen_notifications_count;
  // Likes, recasts and follows in groups, a reply and a quote.
  expect(await unseen()).toBe(5);
  const later = seeded.clock.now() + 10;
  const mention = (fid: number, first: number, last: number) =>
    run(
      `with cast_of as (
         insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer)
         select $2, decode(lpad(to_hex(n), 40, '0'), 'hex'), $3 + n, 'hey', $2, '', '' from generate_series($4::int, $5::int) n
         returning hash, ts)
       insert into cast_mention (mentioned_fid, ts, hash, fid, notified_fid) select $1, ts, hash, $2, $1 from cast_of`,
      [me.fid, fid, later, first, last],
    );
  await mention(FIDS.bob, 1, 994);
  expect(await unseen()).toBe(999);
  // Whom the account does not see counts for nothing.
  await mention(FIDS.erin, 2001, 2100);
  await run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [me.fid, appId, FIDS.erin]);
  expect(await unseen()).toBe(999);
  expect(await unseen('&type=mentions')).toBe(994);
  for (const [n, count] of [
    [995, 1000],
    [996, 1000],
    [1500, 1000],
  ] as const) {
    await mention(FIDS.bob, n, n);
    expect(await unseen()).toBe(count);
  }
  await mark({ fid: me.fid });
  expect(await unseen()).toBe(0);
  await mention(FIDS.carol, 3001, 3003);
  expect(await unseen()).toBe(3);
});

test('channels and parent URLs narrow to what belongs below them', async () => {
  const { join, network, seeded } = flow;
  await network.app.core.db.transaction((session) =>
    storeChannels(session, [
      {
        id: 'garden',
        parentUrl: CHANNEL_URL,
        url: CHANNEL_URL,
        name: 'Garden',
        description: null,
        imageUrl: null,
        leadFid: null,
        createdAt: new Date(),
      },
    ]),
  );
  const me = await join();
  const inside = me.cast({ text: 'beans', parent: CHANNEL_URL });
  const outside = me.cast({ text: 'no beans' });
  const reply = seeded.bob.cast({ text: 'beans!', parent: inside });
  await seeded.send(inside, outside, reply, seeded.carol.react('like', inside), seeded.carol.react('like', outside));
  await seeded.send(seeded.bob.cast({ text: 'what?', parent: outside }), seeded.bob.follow(me.fid));
  await seeded.send(seeded.dan.cast({ text: [me.fid, ' likes beans'], parent: CHANNEL_URL }));
  const byUrl = checked(
    'fetch-notifications-by-parent-url-for-user',
    await network.get(
      `/v2/social/notifications/parent_url/?fid=${me.fid}&parent_urls=https://no.example,${encodeURIComponent(CHANNEL_URL)}`,
    ),
  );
  expect(typesOf(byUrl)).toEqual(['mention', 'likes', 'reply']);
  expect(byUrl.body.unseen_notifications_count).toBe(3);
  const channel = async (query: string) =>
    checked(
      'fetch-channel-notifications-for-user',
      await network.get(`/v2/social/notifications/channel/?fid=${me.fid}&${query}`),
    );
  const byChannel = await channel('channel_ids=garden,nowhere');
  expect(byChannel.body).toEqual(byUrl.body);
  expect((await channel('channel_ids=nowhere')).body).toMatchObject({
    notifications: [],
    unseen_notifications_count: 0,
  });
  const first = await channel('channel_ids=garden&limit=2');
  const rest = await channel(`channel_ids=garden&limit=2&cursor=${first.body.next.cursor}`);
  expect([...typesOf(first), ...typesOf(rest)]).toEqual(['mention', 'likes', 'reply']);
  expect(await channel('channel_ids=')).toMatchObject({ status: 400, body: { property: 'channel_ids' } });
  const foreign = await network.get(`/v2/social/notifications/?fid=${me.fid}&cursor=${first.body.next.cursor}`);
  expect(foreign).toMatchObject({ status: 400, body: { property: 'cursor' } });
});

test('a group stays where it was when it grows after the first page', async () => {
  const { join, of, seeded } = flow;
  const me = await join();
  const [low, high] = [me.cast({ text: 'low' }), me.cast({ text: 'high' })];
  await seeded.send(low, high, seeded.bob.react('like', low), seeded.bob.react('like', high));
  const first = await of(me.fid, '&limit=1');
  expect(recordsOf(first)[0]?.cast?.hash).toBe(hashOf(high));
  await seeded.send(seeded.carol.react('like', low, fromUnixMs(Date.now()) + 2));
  const second = await of(me.fid, `&limit=1&cursor=${first.body.next.cursor}`);
  expect(brief(second)).toEqual([['likes', 1, [FIDS.bob]]]);
});

test('every record is seen once while events come and go', async () => {
  const { join, network, run, seeded } = flow;
  const me = await join();
  const mine = Array.from({ length: 4 }, (_, n) => me.cast({ text: `mine ${n}` }));
  const [a, b, c, d] = mine as [Signed, Signed, Signed, Signed];
  await seeded.send(...mine);
  const { bob, carol } = seeded;
  // All in one second, so that kinds and keys decide.
  const at = seeded.clock.tick();
  const like = (who: Author, cast: Signed) => who.react('like', cast, at);
  const reactions = [
    like(bob, a),
    like(bob, b),
    like(bob, c),
    carol.react('recast', a, at),
    carol.react('recast', d, at),
  ];
  const casts = [
    bob.cast({ text: 'r1', parent: a, at }),
    bob.cast({ text: 'r2', parent: b, at }),
    bob.cast({ text: ['m1 ', me.fid], at }),
    bob.cast({ text: ['m2 ', me.fid], at }),
    bob.cast({ text: 'q1', embeds: [c], at }),
  ];
  await seeded.send(...reactions, ...casts, carol.follow(me.fid, at));
  const tables = {
    cast_reply: 'parent_fid',
    cast_mention: 'mentioned_fid',
    cast_quote: 'quoted_fid',
    reaction: 'target_fid',
    reaction_group: 'target_fid',
    link: 'target_fid',
  };
  await run('create schema scratch');
  for (const [table, column] of Object.entries(tables)) {
    await run(`create table scratch.${table} as select * from ${table} where ${column} = $1`, [me.fid]);
    await run(`delete from ${table} where ${column} = $1`, [me.fid]);
  }
  const keyOf = ({ type, cast }: Notified): string => `${type} ${cast?.hash ?? ''}`;
  const rows = [
    ...reactions.map((_, n) => `${n < 3 ? 'likes' : 'recasts'} ${hashOf([a, b, c, a, d][n] as Signed)}`),
    ...casts.map((cast, n) => `${['reply', 'reply', 'mention', 'mention', 'quote'][n]} ${hashOf(cast)}`),
    'follows ',
  ];
  const place = (row: number): [table: string, where: string][] => {
    const hash = (message: Signed) => `'\\x${hashOf(message).slice(2)}'`;
    if (row === 10) return [['link', 'true']];
    if (row >= 5) {
      const table = ['cast_reply', 'cast_reply', 'cast_mention', 'cast_mention', 'cast_quote'][row - 5] as string;
      return [[table, `hash = ${hash(casts[row - 5] as Signed)}`]];
    }
    const target = `target_hash = ${hash([a, b, c, a, d][row] as Signed)} and type = ${row < 3 ? 1 : 2}`;
    return [
      ['reaction', target],
      ['reaction_group', target],
    ];
  };
  const each = async (which: readonly number[], sql: (table: string, column: string, where: string) => string) => {
    for (const [table, where] of which.flatMap(place)) await run(sql(table, tables[table as 'link'], where));
  };
  await checkPaging({
    rows: rows.length,
    key: (row) => rows[row] as string,
    insert: (which) =>
      each(which, (table, _, where) => `insert into ${table} select * from scratch.${table} where ${where}`),
    remove: (which) =>
      each(which, (table, column, where) => `delete from ${table} where ${where} and ${column} = ${me.fid}`),
    page: pageOverHttp(network.get, `/v2/social/notifications/?fid=${me.fid}`, (body) => body.notifications.map(keyOf)),
  });
});
