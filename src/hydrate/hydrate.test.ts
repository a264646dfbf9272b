import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { openTestHydrate, type WatchedDatabase, watchDatabase } from '../../test/support/hydrate.js';
import { openTestIngest } from '../../test/support/ingest.js';
import { FIDS, type Seeded, seedBasics } from '../../test/support/seed.js';
import type { Ingest } from '../ingest/pipeline.js';
import type { Signed } from '../sample/signed.js';
import { touchedLists } from '../store/change.js';
import { bansOf, followersOf, type ListSource, reactionsOf, relationsOf } from '../store/list-source.js';
import { viewCasts } from '../view/cast-page.js';
import type { Rendered } from '../view/rendered.js';
import { viewUsers } from '../view/user-page.js';
import type { Freshness } from './freshness.js';
import type { Hydrate } from './hydrate.js';

const MEGABYTES = 16 * 1024 * 1024;
const everybody = Object.values(FIDS);
const APP_ID = '00000000-0000-4000-8000-000000000001';

let fixture: TestDatabase;
let seeded: Seeded;
let ingest: Ingest;
/** Caches that hear of the commits of `ingest`, as in one process. */
let near: { hydrate: Hydrate; freshness: Freshness };
let watched: WatchedDatabase;

const submit = (target: Ingest, ...messages: Signed[]) =>
  target.submit(
    messages.map((message) => message.item),
    { source: 'local', announce: false },
  );

beforeAll(async () => {
  fixture = await openTestDatabase();
  watched = watchDatabase(fixture.db);
  near = openTestHydrate(watched.db, MEGABYTES);
  ingest = openTestIngest(fixture.db, { onCommit: near.freshness.touched });
  seeded = await seedBasics((items) => ingest.submit(items, { source: 'sample', announce: false }));
  await near.freshness.start();
});
afterAll(async () => {
  await near.freshness.stop();
  await fixture.drop();
});
beforeEach(() => void watched.sent());

const parsed = ({ body }: Rendered) => JSON.parse(body.toString());
const hashOf = (cast: Signed): string => Buffer.from(cast.hash).toString('hex');
const allCasts = (): string[] => Object.values(seeded.casts).map(hashOf);
const users = async (hydrate: Hydrate, fids: readonly number[], viewer?: number) =>
  parsed(viewUsers(fids, await hydrate.users(fids, { now: Date.now(), viewer }))).users;
const casts = async (hydrate: Hydrate, hashes: readonly string[], viewer?: number) => {
  const audience = { appId: APP_ID, viewer: viewer ?? null };
  return parsed(viewCasts(hashes, await hydrate.casts(hashes, { now: Date.now(), viewer, audience }))).result.casts;
};
/** Statements sent, without the look for changes, which goes on beside them. */
const sent = (): string[] => watched.sent().filter((name) => name !== 'change_since');

test('warm pages need no query, those of a viewer neither until something about the viewer changes', async () => {
  // The serializers are compiled here, and on a busy machine trust runs out meanwhile.
  const first = [await users(near.hydrate, everybody), await casts(near.hydrate, allCasts())];
  await vi.waitFor(() => expect(near.freshness.trusted()).toBe(true), 30_000);
  await casts(near.hydrate, allCasts());
  sent();
  expect([await users(near.hydrate, everybody), await casts(near.hydrate, allCasts())]).toEqual(first);
  expect(sent()).toEqual([]);
  await users(near.hydrate, everybody, FIDS.alice);
  expect(sent()).toEqual(['viewer_link']);
  await casts(near.hydrate, allCasts(), FIDS.alice);
  expect(sent().sort()).toEqual(['hidden_account', 'viewer_reaction']);
  await casts(near.hydrate, allCasts(), FIDS.alice);
  expect(sent()).toEqual([]);
  const cases: [ListSource, string[]][] = [
    [followersOf(FIDS.alice), ['viewer_link']],
    [reactionsOf(FIDS.alice), ['viewer_reaction']],
    [relationsOf(FIDS.alice), ['hidden_account', 'viewer_link']],
    [bansOf(APP_ID), ['hidden_account']],
    [relationsOf(FIDS.bob), []],
  ];
  for (const [source, statements] of cases) {
    near.freshness.touched(touchedLists([source]));
    await casts(near.hydrate, allCasts(), FIDS.alice);
    expect(sent().sort()).toEqual(statements);
  }
});

test('without a cache the answer is the same, and the number of queries does not grow with the page', async () => {
  const { hydrate } = openTestHydrate(watched.db, 0);
  expect(await users(hydrate, everybody)).toEqual(await users(near.hydrate, everybody));
  expect(await casts(hydrate, allCasts())).toEqual(await casts(near.hydrate, allCasts()));
  sent();
  await users(hydrate, [FIDS.alice]);
  const forOneUser = sent();
  await users(hydrate, everybody);
  expect(forOneUser).toEqual(expect.arrayContaining(sent()));
  await casts(hydrate, [hashOf(seeded.casts.quote)]);
  const forOneCast = sent();
  await casts(hydrate, allCasts());
  const forAllCasts = sent();
  // One more than for a single cast without a channel.
  expect(forOneCast.concat('channel_by_url')).toEqual(expect.arrayContaining(forAllCasts));
  expect(forAllCasts.length).toBeLessThanOrEqual(12);
});

test('a write is seen by the next read of its process', async () => {
  const { alice, bob, carol, casts: seededCasts } = seeded;
  const hello = hashOf(seededCasts.hello);
  await users(near.hydrate, everybody);
  const [before] = await casts(near.hydrate, [hello]);
  await submit(ingest, alice.userData(UserDataType.DISPLAY, 'Alice again'), carol.follow(alice.fid));
  expect((await users(near.hydrate, [FIDS.alice]))[0].display_name).toBe('Alice again');
  expect((await casts(near.hydrate, [hello]))[0].author.display_name).toBe('Alice again');
  await submit(ingest, bob.react('like', seededCasts.hello));
  expect((await casts(near.hydrate, [hello]))[0].reactions.likes_count).toBe(before.reactions.likes_count + 1);
  const late = alice.cast({ text: 'late' });
  expect(await casts(near.hydrate, [hashOf(late)])).toEqual([]);
  await submit(ingest, late);
  expect(await casts(near.hydrate, [hashOf(late)])).toHaveLength(1);
  await submit(ingest, alice.removeCast(late.hash));
  expect(await casts(near.hydrate, [hashOf(late)])).toEqual([]);
});

test('a changed name is seen in texts and bios of others', async () => {
  const { bob, casts: seededCasts } = seeded;
  const read = async () => ({
    cast: (await casts(near.hydrate, [hashOf(seededCasts.hello)]))[0],
    bio: (await users(near.hydrate, [FIDS.alice]))[0].profile.bio,
  });
  expect((await read()).cast.text).toBe('gm @bob, how are the tomatoes?');
  expect((await read()).bio.mentioned_profiles[0].fid).toBe(FIDS.bob);
  await submit(ingest, bob.userData(UserDataType.USERNAME, ''));
  const without = await read();
  expect(without.cast.text).toBe(`gm @!${FIDS.bob}, how are the tomatoes?`);
  expect(without.bio.mentioned_profiles).toBeUndefined();
  await submit(ingest, bob.userData(UserDataType.USERNAME, 'bob'));
  expect(await read()).toMatchObject({
    cast: { text: 'gm @bob, how are the tomatoes?' },
    bio: { mentioned_profiles: [{ fid: FIDS.bob }] },
  });
});

test('counters change without rendering the profile anew', async () => {
  const page = () => near.hydrate.users([FIDS.grace], { now: Date.now() });
  const fragmentOf = async () => {
    const one = await page();
    viewUsers([FIDS.grace], one);
    return one.accounts.get(FIDS.grace)?.profile.user?.bytes;
  };
  const before = await fragmentOf();
  await submit(ingest, seeded.heidi.follow(FIDS.grace));
  expect((await users(near.hydrate, [FIDS.grace]))[0].follower_count).toBe(1);
  expect(await fragmentOf()).toBe(before);
});

test('another process sees a write within a second', async () => {
  const far = openTestHydrate(fixture.db, MEGABYTES);
  await far.freshness.start();
  try {
    await users(far.hydrate, [FIDS.dan]);
    await submit(ingest, seeded.dan.userData(UserDataType.DISPLAY, 'Dan elsewhere'));
    await vi.waitFor(async () => expect((await users(far.hydrate, [FIDS.dan]))[0].display_name).toBe('Dan elsewhere'), {
      timeout: 5_000,
      interval: 10,
    });
  } finally {
    await far.freshness.stop();
  }
});

test('a read that was under way during a write does not leave the old state behind', async () => {
  const { erin } = seeded;
  await submit(ingest, erin.userData(UserDataType.DISPLAY, 'Erin 1'));
  for (const [n, learn] of [
    // The process that writes, and one that finds the change by looking.
    [2, near.freshness.touched],
    [3, undefined],
  ] as const) {
    const reader = learn ? near : openTestHydrate(watched.db, MEGABYTES);
    const writer = openTestIngest(fixture.db, learn ? { onCommit: learn } : {});
    if (!learn) await reader.freshness.start();
    const dropped = new Promise<void>((resolve) => {
      reader.freshness.subscribe((touched) => touched.fids.includes(FIDS.erin) && resolve());
    });
    const release = watched.hold('account_by_fid');
    const early = users(reader.hydrate, [FIDS.erin]);
    await vi.waitFor(() => expect(watched.sent()).toContain('account_by_fid'), 30_000);
    await submit(writer, erin.userData(UserDataType.DISPLAY, `Erin ${n}`));
    await dropped;
    release();
    expect((await early)[0].display_name).toBe(`Erin ${n - 1}`);
    expect((await users(reader.hydrate, [FIDS.erin]))[0].display_name).toBe(`Erin ${n}`);
    if (!learn) await reader.freshness.stop();
  }
});
