import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { openTestIngest } from '../../test/support/ingest.js';
import { openTestReads, type WatchedDatabase, watchDatabase } from '../../test/support/read-cache.js';
import { FIDS, type Seeded, seedBasics } from '../../test/support/seed.js';
import type { Freshness } from '../cache/freshness.js';
import type { Reads } from '../cache/read-cache.js';
import type { Tag } from '../db/statement.js';
import type { Ingest } from '../ingest/pipeline/pipeline.js';
import type { Signed } from '../sample/signed-message.js';
import { invalidationOf } from '../store/change.js';
import { bansOf, followersOf, reactionsOf, relationsOf } from '../store/tag.js';
import { viewCasts } from '../view/cast-page.js';
import { viewUsers } from '../view/user-page.js';
import { hydrateCasts, hydrateUsers } from './page.js';

const BYTES = 16 * 1024 * 1024;
const everybody = Object.values(FIDS);
const APP_ID = '00000000-0000-4000-8000-000000000001';

let fixture: TestDatabase;
let seeded: Seeded;
let ingest: Ingest;
/** Caches that receive the commits of `ingest`, as in one process. */
let near: { reads: Reads; freshness: Freshness };
let watched: WatchedDatabase;

const submit = (target: Ingest, ...messages: Signed[]) =>
  target.submit(
    messages.map((message) => message.item),
    { source: 'local', announce: false },
  );

beforeAll(async () => {
  fixture = await openTestDatabase();
  watched = watchDatabase(fixture.db);
  near = openTestReads(watched.db, BYTES);
  ingest = openTestIngest(fixture.db, { onCommit: near.freshness.invalidate });
  seeded = await seedBasics((items) => ingest.submit(items, { source: 'sample', announce: false }));
  await near.freshness.start();
});
afterAll(async () => {
  await near.freshness.stop();
  await fixture.drop();
});
beforeEach(async () => {
  // On a busy machine the caches become stale now and then.
  await vi.waitFor(() => expect(near.freshness.isFresh()).toBe(true), 30_000);
  sent();
});

const hashOf = (cast: Signed): string => Buffer.from(cast.hash).toString('hex');
const allCasts = (): string[] => Object.values(seeded.casts).map(hashOf);
const users = async (reads: Reads, fids: readonly number[], viewer?: number) =>
  JSON.parse(viewUsers(fids, await hydrateUsers(reads.open(), fids, { viewer })).toString()).users;
const casts = async (reads: Reads, hashes: readonly string[], viewer: number | null = null) => {
  const page = await hydrateCasts(reads.open(), hashes, { audience: { appId: APP_ID, viewer } });
  return JSON.parse(viewCasts(hashes, page).toString()).result.casts;
};
/** Statements sent, except the polls for changes, which run in parallel. */
const sent = (): string[] =>
  watched
    .sent()
    .filter((name) => name !== 'change_since')
    .sort();

test('cached pages need no statement, those of a viewer only what is asked about the viewer', async () => {
  const first = [await users(near.reads, everybody), await casts(near.reads, allCasts())];
  sent();
  expect([await users(near.reads, everybody), await casts(near.reads, allCasts())]).toEqual(first);
  expect(sent()).toEqual([]);
  await users(near.reads, everybody, FIDS.alice);
  expect(sent()).toEqual(['viewer_link']);
  await casts(near.reads, allCasts(), FIDS.alice);
  expect(sent()).toEqual(['all_hidden_account', 'viewer_link', 'viewer_reaction']);
  await casts(near.reads, allCasts(), FIDS.alice);
  expect(sent()).toEqual(['viewer_link', 'viewer_reaction']);
});

test("the hidden accounts are queried again only after a change of bans or of the viewer's relations", async () => {
  const page = () => casts(near.reads, allCasts(), FIDS.alice);
  await page();
  const cases: [Tag, boolean][] = [
    [followersOf(FIDS.alice), false],
    [reactionsOf(FIDS.alice), false],
    [relationsOf(FIDS.bob), false],
    [relationsOf(FIDS.alice), true],
    [bansOf(APP_ID), true],
  ];
  for (const [tag, isRequested] of cases) {
    near.freshness.invalidate(invalidationOf([tag]));
    sent();
    await page();
    expect(sent().includes('all_hidden_account')).toBe(isRequested);
  }
});

test('without a cache the answer is the same, and the number of statements does not grow with the page', async () => {
  const { reads } = openTestReads(watched.db, 0);
  expect(await users(reads, everybody)).toEqual(await users(near.reads, everybody));
  expect(await casts(reads, allCasts())).toEqual(await casts(near.reads, allCasts()));
  const statementsOf = async (read: () => Promise<unknown>): Promise<string[]> => {
    sent();
    await read();
    return sent();
  };
  // Alice's bio mentions an account, so one account takes as many statements as many accounts do.
  expect(await statementsOf(() => users(reads, [FIDS.alice]))).toEqual(['account_by_fid', 'user_by_username']);
  expect(await statementsOf(() => users(reads, everybody))).toEqual(['account_by_fid', 'user_by_username']);
  // Casts are read once for each level of embedded casts.
  const forOneCast = ['account_by_fid', 'all_hidden_account', 'cast_by_hash', 'cast_by_hash', 'user_by_fid'];
  expect(await statementsOf(() => casts(reads, [hashOf(seeded.casts.quote)]))).toEqual(forOneCast);
  const forAll = await statementsOf(() => casts(reads, allCasts()));
  // The embedded casts are among the requested ones.
  const more = ['channel_by_url', 'found_url_metadata', 'user_by_username'];
  expect(forAll).toEqual([...new Set(forOneCast), ...more].sort());
});

test('embedded casts of authors that the audience does not see are left out, the casts asked for are not', async () => {
  const asked = [hashOf(seeded.casts.quote), hashOf(seeded.casts.reply)];
  const [quote] = await casts(near.reads, asked, FIDS.erin);
  expect(quote.embeds).toMatchObject([{ cast: { author: { fid: FIDS.bob } } }]);
  await submit(ingest, seeded.erin.link('block', FIDS.bob));
  const blocked = await casts(near.reads, asked, FIDS.erin);
  expect(blocked).toMatchObject([{ embeds: [] }, { author: { fid: FIDS.bob, viewer_context: { blocking: true } } }]);
  expect((await casts(near.reads, asked, FIDS.carol))[0].embeds).toHaveLength(1);
  await submit(ingest, seeded.erin.unlink('block', FIDS.bob));
  expect((await casts(near.reads, asked, FIDS.erin))[0].embeds).toHaveLength(1);
});

test('a write is seen by the next read of its process', async () => {
  const { alice, bob, carol, casts: seededCasts } = seeded;
  const hello = hashOf(seededCasts.hello);
  await users(near.reads, everybody);
  const [before] = await casts(near.reads, [hello]);
  await submit(ingest, alice.userData(UserDataType.DISPLAY, 'Alice again'), carol.follow(alice.fid));
  expect((await users(near.reads, [FIDS.alice]))[0].display_name).toBe('Alice again');
  expect((await casts(near.reads, [hello]))[0].author.display_name).toBe('Alice again');
  await submit(ingest, bob.react('like', seededCasts.hello));
  expect((await casts(near.reads, [hello]))[0].reactions.likes_count).toBe(before.reactions.likes_count + 1);
  const late = alice.cast({ text: 'late' });
  expect(await casts(near.reads, [hashOf(late)])).toEqual([]);
  await submit(ingest, late);
  expect(await casts(near.reads, [hashOf(late)])).toHaveLength(1);
  await submit(ingest, alice.removeCast(late.hash));
  expect(await casts(near.reads, [hashOf(late)])).toEqual([]);
});

test('a changed name is seen in texts and bios of others', async () => {
  const { bob, casts: seededCasts } = seeded;
  const read = async () => ({
    cast: (await casts(near.reads, [hashOf(seededCasts.hello)]))[0],
    bio: (await users(near.reads, [FIDS.alice]))[0].profile.bio,
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

test('another process sees a write within a second', async () => {
  const far = openTestReads(fixture.db, BYTES);
  await far.freshness.start();
  try {
    await users(far.reads, [FIDS.dan]);
    await submit(ingest, seeded.dan.userData(UserDataType.DISPLAY, 'Dan elsewhere'));
    await vi.waitFor(async () => expect((await users(far.reads, [FIDS.dan]))[0].display_name).toBe('Dan elsewhere'), {
      timeout: 5_000,
      interval: 10,
    });
  } finally {
    await far.freshness.stop();
  }
});

test.each(['of this process', 'of another process'])(
  'a read that was under way during a write %s does not leave the old state behind',
  async (whose) => {
    const { erin } = seeded;
    await submit(ingest, erin.userData(UserDataType.DISPLAY, 'Erin before'));
    const isNear = whose === 'of this process';
    const reader = isNear ? near : openTestReads(watched.db, BYTES);
    const writer = isNear ? ingest : openTestIngest(fixture.db);
    if (!isNear) await reader.freshness.start();
    const release = watched.hold('account_by_fid');
    const early = users(reader.reads, [FIDS.erin]);
    await vi.waitFor(() => expect(watched.sent()).toContain('account_by_fid'), 30_000);
    const began = reader.freshness.clock.now();
    await submit(writer, erin.userData(UserDataType.DISPLAY, 'Erin after'));
    await vi.waitFor(() => expect(reader.freshness.clock.now()).toBeGreaterThan(began), 30_000);
    release();
    expect((await early)[0].display_name).toBe('Erin before');
    expect((await users(reader.reads, [FIDS.erin]))[0].display_name).toBe('Erin after');
    if (!isNear) await reader.freshness.stop();
  },
);

test('a pro subscription that runs out is seen without a write, and one that ran out before the clock was set back', async () => {
  const [subscribed, expires] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];
  await fixture.db.run('update account set pro_subscribed_at = $2, pro_expires_at = $3 where fid = $1', [
    FIDS.grace,
    new Date(subscribed),
    new Date(expires),
  ]);
  let now = expires - 1;
  const { reads, freshness } = openTestReads(watched.db, BYTES, { clock: () => now });
  await freshness.start();
  const status = async () => (await users(reads, [FIDS.grace]))[0].pro.status;
  expect(await status()).toBe('subscribed');
  now = expires;
  expect(await status()).toBe('unsubscribed');
  now = expires - 1;
  expect(await status()).toBe('subscribed');
  await freshness.stop();
});

test('an unavailable database rejects the page and leaves no unhandled rejection', async () => {
  const other = await openTestDatabase();
  const { reads } = openTestReads(other.db, BYTES);
  await other.drop();
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  try {
    await expect(casts(reads, allCasts(), FIDS.alice)).rejects.toThrow();
    await expect(users(reads, everybody, FIDS.alice)).rejects.toThrow();
    // Node reports unhandled rejections only after a turn of the event loop.
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
