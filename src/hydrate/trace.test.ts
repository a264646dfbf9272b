import { UserDataType } from '@farcaster/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { openTestHydrate } from '../../test/support/hydrate.js';
import { openTestIngest } from '../../test/support/ingest.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from '../../test/support/seed.js';
import type { IngestItem } from '../ingest/item.js';
import type { Ingest } from '../ingest/pipeline.js';
import type { Signed } from '../sample/signed.js';
import { viewCasts } from '../view/cast-page.js';
import { viewUsers } from '../view/user-page.js';
import type { Hydrate } from './hydrate.js';

type Reader = ReturnType<typeof openTestHydrate>;

const MEGABYTES = 16 * 1024 * 1024;
const APP_ID = '00000000-0000-4000-8000-000000000001';

let fixture: TestDatabase;
let seeded: Seeded;
let ingest: Ingest;
/** Keeps everything. */
let roomy: Reader;
/** Keeps so little that entities and assemblies push each other out all the time. */
let tight: Reader;
/** Keeps nothing, so that it says what is stored. */
let bare: Reader;
let all: Record<string, Signed>;

beforeAll(async () => {
  fixture = await openTestDatabase();
  [roomy, tight, bare] = [MEGABYTES, 30_000, 0].map((bytes) => openTestHydrate(fixture.db, bytes)) as [
    Reader,
    Reader,
    Reader,
  ];
  ingest = openTestIngest(fixture.db, {
    onCommit: (touched) => {
      for (const reader of [roomy, tight, bare]) reader.freshness.touched(touched);
    },
  });
  seeded = await seedBasics((items) => ingest.submit(items, { source: 'sample', announce: false }));
  await fixture.db.run(
    `insert into channel (id, url, parent_url, name, lead_fid, created_at) values ('garden', $1, $1, 'Garden', $2, now())`,
    [CHANNEL_URL, FIDS.erin],
  );
  const { frank, casts } = seeded;
  const deep = frank.cast({ text: ['See ', FIDS.heidi], embeds: [casts.quote, 'https://news.example/'] });
  const inChannel = frank.cast({ text: 'In /garden', parent: CHANNEL_URL });
  all = { ...casts, deep, inChannel };
  await submit(deep, inChannel);
  for (const reader of [roomy, tight, bare]) await reader.freshness.start();
});
afterAll(async () => {
  for (const reader of [roomy, tight, bare]) await reader.freshness.stop();
  await fixture.drop();
});

const submit = (...items: (Signed | IngestItem)[]) =>
  ingest.submit(
    items.map((one) => ('item' in one ? one.item : one)),
    { source: 'local', announce: false },
  );
const hashOf = (cast: Signed): string => Buffer.from(cast.hash).toString('hex');
const pageOf = (hydrate: Hydrate, hashes: readonly string[], viewer?: number, now = Date.now()) =>
  hydrate.casts(hashes, { now, viewer, audience: { appId: APP_ID, viewer: viewer ?? null } });
const read = async ({ hydrate }: Reader, hashes: readonly string[], viewer?: number, now?: number) =>
  JSON.parse(viewCasts(hashes, await pageOf(hydrate, hashes, viewer, now)).body.toString()).result.casts;
const everyHash = (): string[] => Object.values(all).map(hashOf);

const everybody = Object.values(FIDS);
const readUsers = async ({ hydrate }: Reader, viewer?: number, now = Date.now()) =>
  JSON.parse(viewUsers(everybody, await hydrate.users(everybody, { now, viewer })).body.toString()).users;

/** Holds what the caches say against what is stored, for nobody and for some viewers. */
const compare = async (now = Date.now()): Promise<void> => {
  for (const viewer of [undefined, FIDS.alice, FIDS.erin, undefined]) {
    const stored = await read(bare, everyHash(), viewer, now);
    expect(await read(roomy, everyHash(), viewer, now)).toEqual(stored);
    expect(await read(tight, everyHash(), viewer, now)).toEqual(stored);
    const users = await readUsers(bare, viewer, now);
    expect(await readUsers(roomy, viewer, now)).toEqual(users);
    expect(await readUsers(tight, viewer, now)).toEqual(users);
  }
};

test('what was shown twice is at hand as a whole, whatever the cast shows', async () => {
  // On a busy machine trust may run out for a moment, and then nothing is kept.
  const { whole: shown, accounts } = await vi.waitFor(async () => {
    await read(roomy, everyHash());
    await read(roomy, everyHash());
    const page = await pageOf(roomy.hydrate, everyHash());
    expect(page.whole.size).toBeGreaterThan(0);
    return page;
  }, 30_000);
  expect([...shown.keys()].map(({ row }) => row.hash).sort()).toEqual(
    everyHash()
      .filter((hash) => hash !== hashOf(all.removed as Signed))
      .sort(),
  );
  expect(accounts.size).toBe(0);
  const withFaces = { now: Date.now(), audience: { appId: APP_ID, viewer: null }, withFaces: true };
  const page = await roomy.hydrate.casts([hashOf(seeded.casts.hello)], withFaces);
  expect([...page.accounts.keys()].sort()).toEqual([FIDS.app, FIDS.alice]);
  expect(page.whole.size).toBe(1);
});

test('what a user shows of others is not looked up again while all of it holds', async () => {
  const { alice, bob } = seeded;
  await submit(alice.userData(UserDataType.BIO, 'With @bob in /garden'));
  const page = async () => {
    await readUsers(roomy);
    return roomy.hydrate.users([FIDS.alice], { now: Date.now() });
  };
  await vi.waitFor(async () => {
    const { wholeUsers, accounts, channels } = await page();
    expect([...wholeUsers.keys()]).toEqual([FIDS.alice]);
    expect([accounts.size, channels.size]).toEqual([1, 0]);
  }, 30_000);
  await submit(bob.userData(UserDataType.DISPLAY, 'Bob in bios'));
  const after = await roomy.hydrate.users([FIDS.alice], { now: Date.now() });
  expect(after.wholeUsers.size).toBe(0);
  expect([...after.accounts.keys()].sort()).toEqual([FIDS.alice, FIDS.bob]);
  await compare();
});

test('each change of what a cast shows is seen at once', async () => {
  const { alice, bob, carol, dan, erin, heidi, casts } = seeded;
  const extra = dan.cast({ text: 'Gone soon' });
  const embedding = bob.cast({ text: 'Look', embeds: [extra] });
  const revoked = heidi.cast({ text: 'By a key', parent: CHANNEL_URL });
  all = { ...all, embedding, revoked };
  const changes: (() => Promise<(Signed | IngestItem)[]> | (Signed | IngestItem)[])[] = [
    () => [embedding, revoked],
    () => [extra],
    () => [alice.userData(UserDataType.DISPLAY, 'The author')],
    () => [erin.userData(UserDataType.BIO, 'Knows @heidi, @bob and @nobody of /garden')],
    () => [heidi.userData(UserDataType.USERNAME, '')],
    () => [heidi.userData(UserDataType.USERNAME, 'heidi')],
    () => [bob.userData(UserDataType.USERNAME, '')],
    () => [bob.userData(UserDataType.USERNAME, 'bob')],
    () => [heidi.follow(alice.fid)],
    () => [heidi.follow(FIDS.heidi), heidi.follow(erin.fid)],
    () => [carol.react('like', casts.hello), erin.react('recast', casts.quote)],
    () => [dan.userData(UserDataType.PFP, 'https://image.example/other.png')],
    () => [erin.userData(UserDataType.DISPLAY, 'Leads a channel')],
    () => [seeded.app.userData(UserDataType.DISPLAY, 'Another app')],
    () => [dan.removeCast(extra.hash)],
    () => [bob.removeCast(casts.reply.hash)],
    // All casts that were signed with the key go with it.
    () => [heidi.removeSigner()],
  ];
  for (const change of changes) {
    await compare();
    await submit(...(await change()));
  }
  await compare();
});

test('a viewer gets neither more nor less than what is stored for him, whoever made what is kept', async () => {
  const { dan, frank, casts } = seeded;
  const hash = hashOf(all.deep as Signed);
  for (const link of [frank.link('block', FIDS.dan), frank.unlink('block', FIDS.dan)]) {
    await compare();
    await submit(link);
    for (const viewer of [undefined, FIDS.frank, undefined, FIDS.frank, FIDS.dan]) {
      expect(await read(roomy, [hash], viewer)).toEqual(await read(bare, [hash], viewer));
    }
  }
  const [whole] = await read(roomy, [hash], FIDS.frank);
  expect(whole.embeds).toHaveLength(2);
  await submit(frank.link('block', FIDS.dan));
  expect((await read(roomy, [hash], FIDS.frank))[0].embeds).toHaveLength(1);
  expect((await read(roomy, [hash]))[0].embeds).toHaveLength(2);
  await submit(dan.react('like', casts.hello));
  await compare();
});

test('what a page read before a change showed is not kept for those after it', async () => {
  const { alice, casts } = seeded;
  const hashes = [hashOf(casts.hello)];
  await submit(alice.userData(UserDataType.DISPLAY, 'Before'));
  const early = await pageOf(roomy.hydrate, hashes);
  await submit(alice.userData(UserDataType.DISPLAY, 'After'));
  const nameIn = (body: Buffer) => JSON.parse(body.toString()).result.casts[0].author.display_name;
  expect(nameIn(viewCasts(hashes, early).body)).toBe('Before');
  expect((await read(roomy, hashes))[0].author.display_name).toBe('After');
  // Also when the newer state is in the cache before the older page is written.
  const old = await pageOf(roomy.hydrate, hashes);
  await submit(alice.userData(UserDataType.DISPLAY, 'Later'));
  const fresh = await pageOf(roomy.hydrate, hashes);
  expect(nameIn(viewCasts(hashes, old).body)).toBe('After');
  expect(nameIn(viewCasts(hashes, fresh).body)).toBe('Later');
  expect((await read(roomy, hashes))[0].author.display_name).toBe('Later');
});

test('any reads and writes in any order: the caches say what is stored', async () => {
  const { alice, bob, dan, erin } = seeded;
  const people = [alice, bob, dan, erin];
  const step = fc.record({
    who: fc.integer({ min: 0, max: people.length - 1 }),
    what: fc.constantFrom('name', 'follow', 'unfollow', 'block', 'unblock', 'like', 'read', 'read', 'read'),
    other: fc.integer({ min: 0, max: people.length - 1 }),
    hashes: fc.uniqueArray(fc.nat({ max: 8 }), { maxLength: 6 }),
    viewer: fc.constantFrom(undefined, FIDS.alice, FIDS.bob, FIDS.erin),
  });
  let count = 0;
  const change = (what: string, who: (typeof people)[number], other: (typeof people)[number]): Signed => {
    if (what === 'name') return who.userData(UserDataType.DISPLAY, `Name ${++count}`);
    if (what === 'follow') return who.follow(other.fid);
    if (what === 'unfollow') return who.unfollow(other.fid);
    if (what === 'block') return who.link('block', other.fid);
    if (what === 'unblock') return who.unlink('block', other.fid);
    return who.react('like', seeded.casts.emoji);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const { who, what, other, hashes, viewer } of steps) {
        if (what === 'read') {
          const chosen = hashes.flatMap((index) => everyHash()[index] ?? []);
          const now = Date.now();
          const stored = await read(bare, chosen, viewer, now);
          expect(await read(roomy, chosen, viewer, now)).toEqual(stored);
          expect(await read(tight, chosen, viewer, now)).toEqual(stored);
          expect(await readUsers(roomy, viewer, now)).toEqual(await readUsers(bare, viewer, now));
        } else if (who !== other) {
          await submit(change(what, people[who] as typeof alice, people[other] as typeof alice));
        }
      }
    }),
    { numRuns: 15 },
  );
});

// The last one: it turns the clock, and no cache is made for a clock that goes back.
test('what ends by itself ends', async () => {
  const [from, until] = [Date.now() - 1_000, Date.now() + 1_000_000];
  const sql = 'update account set pro_subscribed_at = $2, pro_expires_at = $3 where fid = $1';
  await fixture.db.run(sql, [FIDS.bob, new Date(from), new Date(until)]);
  for (const reader of [roomy, tight]) reader.freshness.touched({ fids: [FIDS.bob], casts: [], lists: [], all: false });
  await compare();
  await compare(until);
  expect((await read(roomy, [hashOf(seeded.casts.hello)], undefined, until))[0].mentioned_profiles[0].pro.status).toBe(
    'unsubscribed',
  );
});
