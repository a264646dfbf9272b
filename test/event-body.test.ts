import { UserDataType } from '@farcaster/core';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadFacts } from '../src/hydrate/cast-facts.js';
import { hydrateEvents } from '../src/hydrate/event.js';
import type { IngestItem } from '../src/ingest/item.js';
import { decodeEvents } from '../src/protocol/event/decode.js';
import type { CastEvent, EventType, SocialEvent } from '../src/protocol/event/social-event.js';
import { toUnixMs } from '../src/protocol/time.js';
import type { Signed } from '../src/sample/signed-message.js';
import {
  WebhookCastEvent,
  WebhookFollowEvent,
  WebhookReactionEvent,
  WebhookUserEvent,
} from '../src/schema/event/webhook.js';
import type { Dialect } from '../src/schema/wire-names.js';
import { selectEventIdSince, selectEventLog, selectEventLogBounds } from '../src/store/hub/event.js';
import { viewEvents } from '../src/view/event.js';
import { storeChannels } from './support/channel.js';
import { expectView } from './support/expect-view.js';
import { type Network, startNetwork } from './support/network.js';
import { openTestReads, watchDatabase } from './support/read-cache.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

const DIALECTS = ['neutral', 'ecosystem'] as const;
const PATHS: Record<Dialect, string> = { neutral: '/v2/social', ecosystem: '/v2/farcaster' };
const ALL_FACTS = { score: true, text: true, rootParentUrl: true };

let network: Network;
let seeded: Seeded;
/** Events of the seed. */
let seedEvents: SocialEvent[];

/** Takes messages in as from a hub, whose events are announced. */
const announce = (items: readonly IngestItem[]) =>
  network.app.core.ingest.submit(items, { source: 'sample', announce: true });

const newest = async (): Promise<number> => (await selectEventLogBounds(network.app.core.db)).newest;

const eventsAfter = async (id: number): Promise<SocialEvent[]> =>
  (await selectEventLog(network.app.core.db, id, 1_000)).flatMap(decodeEvents);

/** Sends messages one by one, and reads the events that they make. */
const eventsOf = async (...messages: Signed[]): Promise<SocialEvent[]> => {
  const before = await newest();
  for (const { item } of messages) await announce([item]);
  return eventsAfter(before);
};

const bodiesOf = async (
  events: readonly SocialEvent[],
  dialect: Dialect = 'neutral',
): Promise<(Buffer | undefined)[]> => {
  const read = openTestReads(network.app.core.db, 0).reads.forDialect(dialect).open();
  return viewEvents(events, await hydrateEvents(read, events));
};

const factsOf = (events: readonly SocialEvent[], needs = ALL_FACTS) =>
  loadFacts(openTestReads(network.app.core.db, 0).reads.open(), events, needs);

const hashOf = ({ hash }: Pick<Signed, 'hash'>): string => Buffer.from(hash).toString('hex');
const iso = (ms: number): string => new Date(ms).toISOString();
const castEvents = (events: readonly SocialEvent[], type: CastEvent['type']): CastEvent[] =>
  events.filter((event): event is CastEvent => event.type === type);

const getCast = async (hash: string, dialect: Dialect = 'neutral') =>
  (await network.get(`${PATHS[dialect]}/cast/?type=hash&identifier=0x${hash}`)).body.cast;
const getUser = async (fid: number) => (await network.get(`/v2/social/user/bulk/?fids=${fid}`)).body.users[0];

/** Compares the bodies of one event in both dialects with what is expected in neutral names. */
const expectBody = async (schema: TSchema, event: SocialEvent, expected: object): Promise<void> => {
  const created_at = Math.floor(event.at.getTime() / 1000);
  for (const dialect of DIALECTS) {
    const [body] = await bodiesOf([event], dialect);
    expectView(schema, dialect, body as Buffer, { type: event.type, created_at, ...expected });
  }
};

const dehydrated = async (fid: number) => {
  const { username, display_name, pfp_url, custody_address, score } = await getUser(fid);
  return { object: 'user_dehydrated', fid, username, display_name, pfp_url, custody_address, score };
};

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(announce);
  const channel = { url: CHANNEL_URL, name: 'Garden', description: null, imageUrl: null, leadFid: FIDS.erin };
  await storeChannels(network.app.core.db, [
    { ...channel, id: 'garden', parentUrl: CHANNEL_URL, createdAt: new Date() },
  ]);
  seedEvents = await eventsAfter(0);
});
afterAll(() => network.stop());

test('the log says what happened, each thing once', () => {
  const counts: Partial<Record<EventType, number>> = {};
  for (const { type } of seedEvents) counts[type] = (counts[type] ?? 0) + 1;
  expect(counts).toEqual({
    'user.created': 9,
    // Names: a proof and user data each; two names and pictures; eight bios, three places, two verifications.
    'user.updated': 9 * 4 + 8 + 3 + 2,
    'cast.created': 7,
    'cast.deleted': 1,
    'reaction.created': 6,
    'reaction.deleted': 1,
    'follow.created': 6,
    'follow.deleted': 1,
  });
  const ids = seedEvents.map(({ logId }) => logId);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test('a created cast is the cast as it is read, in both dialects', async () => {
  const events = castEvents(seedEvents, 'cast.created').filter(({ hash }) => hash !== hashOf(seeded.casts.removed));
  expect(events).toHaveLength(6);
  for (const dialect of DIALECTS) {
    const bodies = (await bodiesOf(events, dialect)).map((body) => JSON.parse(String(body)));
    for (const [index, event] of events.entries()) {
      const cast = await getCast(event.hash, dialect);
      expect(bodies[index].data).toEqual({ ...cast, event_timestamp: iso(event.at.getTime()) });
      expect(bodies[index].data.viewer_context).toBeUndefined();
    }
  }
  for (const event of events) {
    const data = { ...(await getCast(event.hash)), event_timestamp: iso(event.at.getTime()) };
    await expectBody(WebhookCastEvent, event, { data });
  }
});

test('a removed cast is shown as it was, with its text, embeds, thread and counts', async () => {
  const { alice, bob, carol, casts } = seeded;
  const cast = alice.cast({
    text: ['Look, ', bob.fid, ' in /garden 🌱\0'],
    embeds: ['https://news.example/peas', casts.quote],
    parent: casts.channel,
  });
  await eventsOf(cast, carol.react('like', cast), carol.cast({ text: 'I see', parent: cast }));
  const shown = await getCast(hashOf(cast));
  expect(shown).toMatchObject({
    text: 'Look, @bob in /garden 🌱 ',
    embeds: [{ url: 'https://news.example/peas' }, { cast: { text: 'This.' } }],
    parent_hash: `0x${hashOf(casts.channel)}`,
    thread_hash: `0x${hashOf(casts.channel)}`,
    root_parent_url: CHANNEL_URL,
    channel: { id: 'garden', lead: { username: 'erin' } },
    mentioned_channels: [{ id: 'garden' }],
    app: { username: 'app' },
    reactions: { likes_count: 1 },
    replies: { count: 1 },
  });
  const [deleted, ...none] = await eventsOf(alice.removeCast(cast.hash));
  expect(none).toEqual([]);
  expect(deleted?.type).toBe('cast.deleted');
  expect((await network.get(`/v2/social/cast/?type=hash&identifier=0x${hashOf(cast)}`)).status).toBe(400);
  const event_timestamp = iso((deleted as SocialEvent).at.getTime());
  await expectBody(WebhookCastEvent, deleted as SocialEvent, { data: { ...shown, event_timestamp } });
});

test('a cast that was removed since is announced as it was', async () => {
  const events = seedEvents.filter((event) => 'hash' in event && event.hash === hashOf(seeded.casts.removed));
  expect(events.map(({ type }) => type)).toEqual(['cast.created', 'cast.deleted']);
  const [created, deleted] = (await bodiesOf(events)).map((body) => JSON.parse(String(body)));
  expect({ ...created.data, event_timestamp: deleted.data.event_timestamp }).toEqual(deleted.data);
  expect(created.data).toMatchObject({ text: 'I should not have said that', author: { username: 'alice' } });
});

test('removed casts keep their place in the thread, also in a removed one, and below an unknown cast', async () => {
  const { alice } = seeded;
  const parent = alice.cast({ text: 'root', parent: CHANNEL_URL });
  const reply = alice.cast({ text: 'reply', parent });
  const far = alice.cast({ text: 'far', parent: { fid: 999, hash: new Uint8Array(20).fill(1) } });
  const removals = [parent, reply, far].map(({ hash }) => alice.removeCast(hash));
  const events = castEvents(await eventsOf(parent, reply, far, ...removals), 'cast.deleted');
  const [root, inner, outer] = (await bodiesOf(events)).map((body) => JSON.parse(String(body)).data);
  expect(root).toMatchObject({ thread_hash: root.hash, parent_url: CHANNEL_URL, root_parent_url: CHANNEL_URL });
  expect(inner).toMatchObject({ thread_hash: root.hash, parent_hash: root.hash, root_parent_url: CHANNEL_URL });
  expect(outer).toMatchObject({ thread_hash: `0x${'01'.repeat(20)}`, parent_author: { fid: 999 }, channel: null });
});

test('accounts are shown in full, by what they are now', async () => {
  const { grace } = seeded;
  const [bio] = await eventsOf(grace.userData(UserDataType.BIO, 'Compilers 🦀 and /garden'));
  for (const event of [bio as SocialEvent, ...seedEvents.filter(({ fid }) => fid === FIDS.alice).slice(0, 2)]) {
    const event_timestamp = iso(event.at.getTime());
    await expectBody(WebhookUserEvent, event, { event_timestamp, data: await getUser(event.fid) });
  }
});

test('an account that is not stored is shown with the defaults', async () => {
  const event: SocialEvent = { type: 'user.updated', logId: 1, part: 0, at: new Date(), fid: 4_000 };
  const [body] = await bodiesOf([event]);
  expect(JSON.parse(String(body)).data).toMatchObject({ fid: 4_000, username: '!4000', follower_count: 0 });
});

test('a follow and its end name both accounts and both times', async () => {
  const { dan } = seeded;
  const follow = dan.follow(FIDS.erin);
  const [created, ...none] = await eventsOf(follow, dan.follow(FIDS.erin));
  expect(none).toEqual([]);
  const [deleted] = await eventsOf(dan.unfollow(FIDS.erin));
  for (const [event, object] of [
    [created, 'follow'],
    [deleted, 'unfollow'],
  ] as const) {
    const { at } = event as SocialEvent;
    expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(600_000);
    const data = {
      object,
      event_timestamp: iso(at.getTime()),
      timestamp: expect.stringMatching(/\.000Z$/),
      user: await dehydrated(FIDS.dan),
      target_user: await dehydrated(FIDS.erin),
    };
    const [body] = await bodiesOf([event as SocialEvent]);
    const { timestamp } = JSON.parse(String(body)).data;
    // The follow that was removed is the repeated one.
    expect(Date.parse(timestamp) - toUnixMs(follow.timestamp)).toBe(object === 'follow' ? 0 : 1_000);
    await expectBody(WebhookFollowEvent, event as SocialEvent, { data: { ...data, timestamp } });
  }
});

test('a follow of an unknown account says its fid', async () => {
  const [event] = await eventsOf(seeded.dan.follow(5_000));
  const [body] = await bodiesOf([event as SocialEvent]);
  expect(JSON.parse(String(body)).data.target_user).toEqual({ object: 'user_dehydrated', fid: 5_000 });
});

test('a compact state ends each follow that it leaves out', async () => {
  const { heidi } = seeded;
  const targets = [FIDS.alice, FIDS.bob, FIDS.carol, FIDS.dan];
  await eventsOf(...targets.map((fid) => heidi.follow(fid)), heidi.link('block', FIDS.frank));
  const events = await eventsOf(heidi.compactLinks('follow', [FIDS.alice]));
  expect(events.map(({ type, part }) => [type, part])).toEqual([
    ['follow.deleted', 0],
    ['follow.deleted', 1],
    ['follow.deleted', 2],
  ]);
  const bodies = (await bodiesOf(events)).map((body) => JSON.parse(String(body)).data);
  expect(bodies.map(({ target_user }) => target_user.username).sort()).toEqual(['bob', 'carol', 'dan']);
  expect(new Set(bodies.map(({ object, user }) => `${object} ${user.username}`))).toEqual(new Set(['unfollow heidi']));
});

test('a follow comes back with a later compact state that names it again', async () => {
  const { heidi } = seeded;
  await eventsOf(heidi.follow(FIDS.bob), heidi.compactLinks('follow', [FIDS.alice]));
  const events = await eventsOf(heidi.compactLinks('follow', [FIDS.alice, FIDS.bob]));
  expect(events).toEqual([expect.objectContaining({ type: 'follow.created', fid: FIDS.heidi, targetFid: FIDS.bob })]);
});

test('reactions show who reacted to which cast', async () => {
  const { erin, casts } = seeded;
  const like = erin.react('like', casts.emoji);
  const recast = erin.react('recast', casts.emoji);
  const events = await eventsOf(like, recast, erin.unreact('recast', casts.emoji));
  expect(events.map(({ type }) => type)).toEqual(['reaction.created', 'reaction.created', 'reaction.deleted']);
  for (const [index, event] of events.entries()) {
    await expectBody(WebhookReactionEvent, event, {
      data: {
        object: 'reaction',
        event_timestamp: iso(event.at.getTime()),
        timestamp: iso(toUnixMs((index === 0 ? like : recast).timestamp)),
        reaction_type: index === 0 ? 1 : 2,
        user: await dehydrated(FIDS.erin),
        cast: {
          object: 'cast_dehydrated',
          hash: `0x${hashOf(casts.emoji)}`,
          author: await dehydrated(FIDS.dan),
          app: await dehydrated(FIDS.app),
        },
      },
    });
  }
});

test('a reaction to a cast that is not stored has no body, and the others have theirs', async () => {
  const { erin, casts } = seeded;
  const unknown = { fid: 999, hash: new Uint8Array(20).fill(2) };
  const events = await eventsOf(erin.react('like', unknown), erin.react('like', casts.reply));
  expect((await bodiesOf(events)).map((body) => body !== undefined)).toEqual([false, true]);
});

test('filter facts of a cast event match the cast as it is read, even if it was removed', async () => {
  await network.sql('update account set score = 0.75 where fid = $1', [FIDS.carol]);
  const { alice, bob, carol, casts } = seeded;
  const reply = carol.cast({ text: ['ask ', bob.fid, ' or ', 4_000], parent: casts.channel });
  const [created, deleted] = await eventsOf(reply, carol.removeCast(reply.hash));
  const facts = { text: 'ask @bob or @!4000', rootParentUrl: CHANNEL_URL, authorScore: 0.75 };
  const follow = seedEvents.find(({ type }) => type === 'follow.created');
  const inChannel = alice.cast({ text: 'gm', parent: CHANNEL_URL });
  const unknown = alice.cast({ text: 'gm', parent: { fid: 999, hash: new Uint8Array(20).fill(3) } });
  const events = [created, deleted, follow, ...(await eventsOf(inChannel, unknown))] as SocialEvent[];
  const [first, second, third, fourth, fifth] = await factsOf(events);
  expect([first, second, third]).toEqual([facts, facts, undefined]);
  expect(fourth?.rootParentUrl).toBe(CHANNEL_URL);
  expect(fifth?.rootParentUrl).toBeNull();
  for (const event of castEvents(seedEvents, 'cast.created')) {
    if (event.hash === hashOf(casts.removed)) continue;
    const { text, root_parent_url: rootParentUrl, author } = await getCast(event.hash);
    expect(await factsOf([event])).toEqual([{ text, rootParentUrl, authorScore: author.score }]);
  }
});

test('filter facts that no filter uses are not loaded', async () => {
  const watched = watchDatabase(network.app.core.db);
  const load = (needs: typeof ALL_FACTS) => loadFacts(openTestReads(watched.db, 0).reads.open(), seedEvents, needs);
  await load({ score: false, text: false, rootParentUrl: false });
  expect(watched.sent()).toEqual([]);
  await load(ALL_FACTS);
  expect(watched.sent().sort()).toEqual(['cast_root_parent_url', 'user_by_fid']);
});

test('many events take as many statements as few of each kind', async () => {
  const watched = watchDatabase(network.app.core.db);
  const statements = async (events: readonly SocialEvent[]) => {
    const { reads } = openTestReads(watched.db, 0);
    expect(viewEvents(events, await hydrateEvents(reads.open(), events))).toHaveLength(events.length);
    return watched.sent().length;
  };
  const all = await eventsAfter(0);
  expect(all.length).toBeGreaterThan(100);
  expect(await statements([...all, ...all, ...all])).toBe(await statements(all));
});

test('the log is read after an id, from its bounds, and since a time', async () => {
  const { db } = network.app.core;
  const rows = await selectEventLog(db, 0, 10_000);
  const { oldest, newest: last } = await selectEventLogBounds(db);
  expect([oldest, last]).toEqual([rows[0]?.id, rows.at(-1)?.id]);
  expect((await selectEventLog(db, oldest, 2)).map(({ id }) => id)).toEqual([rows[1]?.id, rows[2]?.id]);
  expect(await selectEventLog(db, last, 10)).toEqual([]);
  const day = (n: number) => new Date(Date.UTC(2026, 0, n));
  // A log with gaps, one row a day.
  await network.sql('delete from hub_event where id % 3 = 0 or id = $1', [oldest + 1]);
  await network.sql(
    `update hub_event e set at = '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 day'
       from (select id, row_number() over (order by id) - 1 as n from hub_event) r where r.id = e.id`,
  );
  const left = await selectEventLog(db, 0, 10_000);
  for (const [index, row] of left.entries()) {
    expect(row.at).toEqual(day(index + 1));
    expect(await selectEventIdSince(db, row.at)).toBe(row.id);
    expect(await selectEventIdSince(db, new Date(row.at.getTime() + 1))).toBe(left[index + 1]?.id);
  }
  expect(await selectEventIdSince(db, day(-1))).toBe(left[0]?.id);
  await network.sql('delete from hub_event');
  expect(await selectEventIdSince(db, day(1))).toBeUndefined();
  expect(await selectEventLogBounds(db)).toEqual({ oldest: 0, newest: 0 });
});
