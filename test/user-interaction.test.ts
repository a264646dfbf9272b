import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import {
  actorsOf,
  checked,
  hashOf,
  type NotificationFlow,
  type Notified,
  recordsOf,
  startNotificationFlow,
} from './support/notification.js';
import './support/property-seed.js';

let flow: NotificationFlow;
beforeAll(async () => {
  flow = await startNotificationFlow();
});
afterAll(() => flow.network.stop());
beforeEach(async () => {
  for (const table of ['mute', 'ban']) await flow.run(`delete from ${table}`);
});

const ask = async (query: string) =>
  checked('fetch-user-interactions', await flow.network.get(`/v2/social/user/interactions/?${query}`));
const between = async (one: Author, other: Author, more = ''): Promise<Notified[]> => {
  const { status, body } = await ask(`fids=${one.fid},${other.fid}${more}`);
  expect({ status, message: body.message }).toEqual({ status: 200 });
  return body.interactions;
};

/** Who did what to which cast, one line for each event; the author of a reply, quote or mention is in its cast. */
const eventsOf = (record: Notified): string[] => {
  const cast = record.cast as undefined | { readonly hash: string; readonly author: { readonly fid: number } };
  const actors = record.reactions || record.follows ? actorsOf(record) : [cast?.author.fid];
  const subject = record.type === 'follows' ? '' : cast?.hash;
  return actors.map((fid) => `${record.type} by ${fid} ${subject}`);
};

const FILTERS = ['follows', 'recasts', 'likes', 'mentions', 'replies', 'quotes'] as const;
type Filter = (typeof FILTERS)[number];

/** What the notifications of both accounts say about each other. */
const expected = async (one: Author, other: Author, types: readonly Filter[]): Promise<string[]> => {
  const told = await Promise.all(
    [
      [one, other],
      [other, one],
    ].map(async ([owner, actor]) => {
      const answer = await flow.of((owner as Author).fid, `&limit=25&type=${types}`);
      expect(answer.body.next.cursor).toBeNull();
      return recordsOf(answer)
        .flatMap(eventsOf)
        .filter((event) => event.includes(` by ${actor?.fid} `));
    }),
  );
  return told.flat().sort();
};

/** The latest matters first; a number selects one of the casts of the account that is acted upon. */
type Act = (from: Author, to: Author, cast: Signed | undefined, own: Signed | undefined) => Signed[];
const ACTS: Readonly<Record<string, Act>> = {
  cast: (from) => [from.cast({ text: 'by the way' })],
  mention: (from, to) => [from.cast({ text: ['see ', to.fid] })],
  reply: (from, _, cast) => (cast ? [from.cast({ text: 'so it is', parent: cast })] : []),
  quote: (from, _, cast) => (cast ? [from.cast({ text: 'read this', embeds: [cast] })] : []),
  everything: (from, to, cast) => (cast ? [from.cast({ text: ['yes ', to.fid], parent: cast, embeds: [cast] })] : []),
  quoteAndMention: (from, to, cast) => (cast ? [from.cast({ text: ['yes ', to.fid], embeds: [cast] })] : []),
  like: (from, _, cast) => (cast ? [from.react('like', cast)] : []),
  recast: (from, _, cast) => (cast ? [from.react('recast', cast)] : []),
  unlike: (from, _, cast) => (cast ? [from.unreact('like', cast)] : []),
  follow: (from, to) => [from.follow(to.fid)],
  unfollow: (from, to) => [from.unfollow(to.fid)],
  remove: (from, _, __, own) => (own ? [from.removeCast(own.hash)] : []),
};

const MAKES_CAST: readonly string[] = ['cast', 'mention', 'reply', 'quote', 'everything', 'quoteAndMention'];

const HIDE = {
  mute: (appId: string, from: Author, to: Author) =>
    flow.run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3) on conflict do nothing', [
      from.fid,
      appId,
      to.fid,
    ]),
  ban: (appId: string, _: Author, to: Author) =>
    flow.run('insert into ban (fid, app_id) values ($1, $2) on conflict do nothing', [to.fid, appId]),
  block: (_: string, from: Author, to: Author) => flow.seeded.send(from.link('block', to.fid)),
} as const;

test('interactions equal the notifications that two accounts have about each other', { timeout: 60_000 }, async () => {
  const act = fc.record({
    name: fc.constantFrom(...Object.keys(ACTS)),
    from: fc.constantFrom(0, 1, 0, 1, 2),
    to: fc.constantFrom(0, 1, 0, 1, 2),
    cast: fc.nat(7),
  });
  const course = fc.record({
    acts: fc.array(act, { minLength: 30, maxLength: 50 }),
    hide: fc.option(
      fc.record({ how: fc.constantFrom(...(Object.keys(HIDE) as (keyof typeof HIDE)[])), isFirst: fc.boolean() }),
    ),
    types: fc.shuffledSubarray([...FILTERS], { minLength: 1 }),
  });
  let found = 0;
  await fc.assert(
    fc.asyncProperty(course, async ({ acts, hide, types }) => {
      for (const table of ['mute', 'ban']) await flow.run(`delete from ${table}`);
      const people = [await flow.join(), await flow.join(), await flow.join()] as const;
      const casts = people.map((who) => [who.cast({ text: 'hello' })]);
      const sent = casts.flat();
      for (const { name, from, to, cast } of acts) {
        const [who, whom] = [people[from] as Author, people[to] as Author];
        const [own, theirs] = [casts[from] as Signed[], casts[to] as Signed[]];
        const subject = (of: Signed[]) => of[cast % Math.max(1, of.length)];
        const messages = (ACTS[name] as Act)(who, whom, subject(theirs), subject(own));
        sent.push(...messages);
        if (name === 'remove') own.splice(cast % Math.max(1, own.length), 1);
        else if (MAKES_CAST.includes(name)) own.push(...messages);
      }
      expect((await flow.network.load(sent.map(({ item }) => item))).invalid).toEqual({});
      const [one, other] = people;
      if (hide) await HIDE[hide.how](flow.appId, hide.isFirst ? one : other, hide.isFirst ? other : one);
      for (const filter of [FILTERS, types]) {
        const records = await between(one, other, `&type=${filter}`);
        expect(records.flatMap(eventsOf).sort()).toEqual(await expected(one, other, filter));
        expect(records.map(({ count, seen }) => ({ count, seen }))).toEqual(
          records.map(() => ({ count: 1, seen: true })),
        );
        const times = records.map(({ most_recent_timestamp: at }) => Date.parse(at));
        expect(times).toEqual([...times].sort((a, b) => b - a));
        found += records.length;
      }
      expect(await between(other, one)).toEqual(await between(one, other));
    }),
    { numRuns: 12 },
  );
  expect(found).toBeGreaterThan(10);
});

test('each record is one event, with its time, its actor and what a notification shows of it', async () => {
  const { join, seeded } = flow;
  const [me, you] = [await join(), await join()];
  const mine = me.cast({ text: 'mine' });
  const first = seeded.clock.now() + 10;
  await seeded.send(mine);
  const reply = you.cast({ text: 'a reply', parent: mine, at: first + 2 });
  await seeded.send(
    you.react('like', mine, first),
    me.follow(you.fid, first + 1),
    reply,
    me.react('recast', reply, first + 3),
  );
  const records = await between(me, you);
  expect(records.map((record) => [record.type, eventsOf(record), record.most_recent_timestamp])).toEqual(
    (
      [
        ['recasts', `recasts by ${me.fid} ${hashOf(reply)}`],
        ['reply', `reply by ${you.fid} ${hashOf(reply)}`],
        ['follows', `follows by ${me.fid} `],
        ['likes', `likes by ${you.fid} ${hashOf(mine)}`],
      ] as const
    ).map(([type, event], n) => [type, [event], new Date((first + 3 - n + 1_609_459_200) * 1000).toISOString()]),
  );
  expect(records[1]?.cast?.type).toBe('cast-reply');
  expect((await between(me, you, '&type=replies&type=likes')).map(({ type }) => type)).toEqual(['reply', 'likes']);
});

test('the newest hundred are listed, and none of the future until its time has come', async () => {
  const { join, seeded, run } = flow;
  const [me, you] = [await join(), await join()];
  const casts = Array.from({ length: 60 }, (_, n) => me.cast({ text: `cast ${n}` }));
  await seeded.send(...casts);
  await flow.network.load(casts.flatMap((cast) => [you.react('like', cast).item, you.react('recast', cast).item]));
  const records = await between(me, you);
  expect(records).toHaveLength(100);
  expect(records.map(({ cast }) => cast?.hash)).toEqual(
    [...casts]
      .reverse()
      .slice(0, 50)
      .flatMap((cast) => [hashOf(cast), hashOf(cast)]),
  );
  await seeded.send(you.cast({ text: ['soon, ', me.fid], at: fromUnixMs(Date.now()) + 300 }));
  expect(await between(me, you, '&type=mentions')).toEqual([]);
  await run('delete from cast_mention where mentioned_fid = $1', [me.fid]);
});

test('two different accounts must be named; unknown ones have no interactions', async () => {
  expect(await ask('fids=123456,654321')).toMatchObject({ status: 200, body: { interactions: [] } });
  for (const fids of ['', '2', '2,2', '2,3,4', '2,3,3', 'x,2', '0,2', '2,']) {
    expect([fids, await ask(`fids=${fids}`)]).toMatchObject([fids, { status: 400, body: { property: /^fids/ } }]);
  }
  expect((await ask('fids=2,2')).body.message).toBe('fids must be two different FIDs, separated by a comma');
  expect(await ask('fids=2,3&type=mention')).toMatchObject({ status: 400 });
});
