import { UserDataType } from '@farcaster/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchUserFollowingFeed } from '../src/api/feed/fetch-user-following-feed.js';
import { fetchUserFollowers } from '../src/api/follow/fetch-user-followers.js';
import { fetchAllNotifications } from '../src/api/notification/fetch-all-notifications.js';
import type { Operation, OperationRequest } from '../src/api/operation.js';
import { fetchUserReactions } from '../src/api/reaction/fetch-user-reactions.js';
import type { Services } from '../src/api/service.js';
import { fetchUsersByLocation } from '../src/api/user/fetch-users-by-location.js';
import { type Change, createChange } from '../src/hydrate/change.js';
import type { Freshness } from '../src/hydrate/freshness.js';
import type { Ingest } from '../src/ingest/pipeline.js';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed.js';
import { deleteBans, insertBans } from '../src/store/ban.js';
import { touchedLists } from '../src/store/change.js';
import { bansOf, relationsOf, seenBy } from '../src/store/list-source.js';
import { deleteMute, insertMute } from '../src/store/mute.js';
import { updateNotificationSeen } from '../src/store/notification-seen.js';
import type { Rendered } from '../src/view/rendered.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { openTestHydrate, watchDatabase } from './support/hydrate.js';
import { openTestIngest } from './support/ingest.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const MEGABYTES = 32 * 1024 * 1024;
const APP = '00000000-0000-4000-8000-000000000001';
const ALICE = FIDS.alice;
const PEOPLE = ['alice', 'bob', 'carol', 'dan', 'erin'] as const;

let fixture: TestDatabase;
let seeded: Seeded;
let ingest: Ingest;
let change: Change;
let freshness: Freshness;
/** Reads through caches; `sent` names what was asked of the database for it. */
let kept: Services;
let sent: () => string[];
/** Reads what is stored. */
let bare: Services;
/** Unix milliseconds that the clock of both goes ahead. */
let ahead = 0;
const clock = () => Date.now() + ahead;
/** Casts made so far, whether they are stored or not. */
const casts: Signed[] = [];

beforeAll(async () => {
  fixture = await openTestDatabase();
  const watched = watchDatabase(fixture.db);
  const warm = openTestHydrate(watched.db, MEGABYTES);
  const cold = openTestHydrate(fixture.db, 0);
  const cursorKey = { sign: Buffer.alloc(32, 1), accept: [Buffer.alloc(32, 1)] };
  freshness = warm.freshness;
  // Nothing here goes through the writer, which may date a message ahead.
  const common = { clock, cursorKey, dialect: 'neutral', writer: { latest: () => 0 } };
  kept = { ...warm, ...common, db: watched.db } as unknown as Services;
  bare = { ...cold, ...common, db: fixture.db } as unknown as Services;
  sent = () => watched.sent().filter((name) => name !== 'change_since');
  change = createChange(fixture.db, freshness);
  ingest = openTestIngest(fixture.db, { onCommit: freshness.touched });
  seeded = await seedBasics((items) => ingest.submit(items, { source: 'sample', announce: false }));
  casts.push(...Object.values(seeded.casts));
  await freshness.start();
});
afterAll(async () => {
  await freshness.stop();
  await fixture.drop();
});

/** The lists that are kept, with the parameters that the tests ask for. */
const LISTS: readonly (readonly [Operation, object])[] = [
  ...[ALICE, FIDS.bob].map((fid) => [fetchAllNotifications, { fid }] as const),
  ...[undefined, FIDS.carol].flatMap((viewer_fid) => [
    [fetchUserFollowingFeed, { fid: ALICE, with_recasts: true, viewer_fid }] as const,
    [fetchUserFollowingFeed, { fid: FIDS.carol, with_recasts: false, viewer_fid }] as const,
    [fetchUserReactions, { fid: FIDS.dan, type: 'all', viewer_fid }] as const,
    [fetchUserFollowers, { fid: ALICE, viewer_fid }] as const,
    [fetchUsersByLocation, { latitude: 40, longitude: 0, viewer_fid }] as const,
  ]),
];

const ask = async (services: Services, [operation, query]: (typeof LISTS)[number], cursor?: string, limit = 3) => {
  const request = { query: { ...query, limit, cursor }, caller: { appId: APP } } as unknown as OperationRequest;
  const { body } = (await operation.handle(request, services)) as Rendered;
  const { next, ...rest } = JSON.parse(body.toString());
  return { rest, cursor: next.cursor as string | null };
};

/** The first two pages; cursors differ in the time of the first page alone. */
const pagesOf = async (services: Services, list: (typeof LISTS)[number]) => {
  const first = await ask(services, list);
  const second = first.cursor === null ? undefined : await ask(services, list, first.cursor);
  return [first, second].map((page) => page && { ...page.rest, goesOn: page.cursor !== null });
};

/** Asks twice: the first time the page itself may be kept, the second time what was written of it. */
const compare = async (): Promise<void> => {
  for (const list of LISTS) {
    const stored = await pagesOf(bare, list);
    for (const time of ['first', 'second']) {
      expect(await pagesOf(kept, list), `${JSON.stringify(list)} for the ${time} time`).toEqual(stored);
    }
  }
};

const submit = (...messages: readonly Signed[]) =>
  ingest.submit(
    messages.map((message) => message.item),
    { source: 'local', announce: false },
  );
const made = (cast: Signed): Signed => {
  casts.push(cast);
  return cast;
};

/** What may happen, by two accounts and a cast; each through the writer that it has in the service. */
const EVENTS: Readonly<Record<string, (who: Author, other: Author, cast: Signed) => Promise<unknown>>> = {
  cast: (who) => submit(made(who.cast({ text: 'Morning' }))),
  mention: (who, other) => submit(made(who.cast({ text: ['You there, ', other.fid, '?'] }))),
  reply: (who, _, cast) => submit(made(who.cast({ text: 'So it is', parent: cast }))),
  quote: (who, _, cast) => submit(made(who.cast({ text: 'Look', embeds: [cast] }))),
  remove: (_who, _, cast) => submit(authorOf(cast).removeCast(cast.hash)),
  like: (who, _, cast) => submit(who.react('like', cast)),
  unlike: (who, _, cast) => submit(who.unreact('like', cast)),
  recast: (who, _, cast) => submit(who.react('recast', cast)),
  unrecast: (who, _, cast) => submit(who.unreact('recast', cast)),
  late: async (who, other) => {
    const cast = made(other.cast({ text: 'Late' }));
    await submit(who.react('like', cast), who.react('recast', cast));
    await compare();
    await submit(cast);
  },
  follow: (who, other) => submit(who.follow(other.fid)),
  unfollow: (who, other) => submit(who.unfollow(other.fid)),
  compact: (who, other) => submit(who.compactLinks('follow', [other.fid])),
  block: (who, other) => submit(who.link('block', other.fid)),
  unblock: (who, other) => submit(who.unlink('block', other.fid)),
  move: (who, other) => submit(who.userData(UserDataType.LOCATION, other.fid % 2 ? '' : `geo:${who.fid}.50,0.25`)),
  rename: (who, other) => submit(who.userData(UserDataType.DISPLAY, `Friend ${casts.length} of ${other.fid}`)),
  quit: (who) => submit(who.userData(UserDataType.USERNAME, '')),
  name: (who) => submit(who.userData(UserDataType.USERNAME, nameOf(who))),
  introduce: (who, other) => submit(who.userData(UserDataType.BIO, `With @${nameOf(other)}, not with @nobody`)),
  mute: (who, other) =>
    change(touchedLists([relationsOf(who.fid)]), (session) =>
      insertMute(session, { fid: who.fid, appId: APP, mutedFid: other.fid }, new Date()),
    ),
  unmute: (who, other) =>
    change(touchedLists([relationsOf(who.fid)]), (session) =>
      deleteMute(session, { fid: who.fid, appId: APP, mutedFid: other.fid }),
    ),
  ban: (who) => change(touchedLists([bansOf(APP)]), (session) => insertBans(session, APP, [who.fid], new Date())),
  unban: (who) => change(touchedLists([bansOf(APP)]), (session) => deleteBans(session, APP, [who.fid])),
  see: (who) =>
    change(touchedLists([seenBy(who.fid)]), (session) =>
      updateNotificationSeen(
        session,
        { fid: who.fid, appId: APP },
        ['likes', 'follows', 'mentions'],
        fromUnixMs(clock()),
      ),
    ),
};

const nameOf = ({ fid }: Author): string => PEOPLE.find((name) => FIDS[name] === fid) as string;

const authorOf = (cast: Signed): Author => {
  const found = PEOPLE.map((name) => seeded[name]).find(({ fid }) => fid === cast.fid);
  if (found === undefined) throw new Error(`nobody of the test wrote a cast of fid ${cast.fid}`);
  return found;
};

test('a kept page asks nothing of the database, not even for its viewer', async () => {
  // On a busy machine trust may run out for a moment, and then nothing is kept.
  await vi.waitFor(
    async () => {
      sent();
      for (const list of LISTS) await pagesOf(kept, list);
      expect(sent()).toEqual([]);
    },
    { timeout: 20_000 },
  );
});

test('whatever happens, a kept page says what is stored', async () => {
  const person = fc.constantFrom(...PEOPLE);
  const event = fc.record({
    what: fc.constantFrom(...Object.keys(EVENTS)),
    who: person,
    other: person,
    cast: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 25 }), async (events) => {
      for (const { what, who, other, cast } of events) {
        if (who === other) continue;
        await EVENTS[what]?.(seeded[who], seeded[other], casts[cast % casts.length] as Signed);
        await compare();
      }
    }),
    { numRuns: 4, endOnFailure: true },
  );
}, 120_000);

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'another process shows what happened within a second',
  async () => {
    const far = openTestHydrate(fixture.db, MEGABYTES);
    await far.freshness.start();
    const other = { ...bare, hydrate: far.hydrate, lists: far.lists } as Services;
    const { alice, bob, carol } = seeded;
    const cast = made(alice.cast({ text: 'Far away' }));
    await submit(cast);
    const [like, recast, follow, mute, unmute, ban, unban] = [
      () => EVENTS.like?.(bob, bob, cast),
      () => EVENTS.recast?.(carol, carol, cast),
      () => EVENTS.follow?.(carol, alice, cast),
      () => EVENTS.mute?.(alice, bob, cast),
      () => EVENTS.unmute?.(alice, bob, cast),
      () => EVENTS.ban?.(carol, bob, cast),
      () => EVENTS.unban?.(carol, bob, cast),
    ];
    for (const happen of [like, recast, follow, mute, unmute, ban, unban]) {
      for (const list of LISTS) await pagesOf(other, list);
      await happen();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      for (const list of LISTS) expect(await pagesOf(other, list)).toEqual(await pagesOf(bare, list));
    }
    await far.freshness.stop();
  },
  60_000,
);

test('what claims to come later comes into a kept page when its time is there', async () => {
  const { alice, bob, erin } = seeded;
  const soon = fromUnixMs(clock()) + 300;
  await submit(
    bob.unlink('block', ALICE),
    alice.unlink('block', FIDS.bob),
    alice.follow(FIDS.bob),
    made(bob.cast({ text: ['From the future, ', ALICE], at: soon })),
    erin.follow(ALICE, soon + 10),
  );
  const cast = casts.at(-1) as Signed;
  await submit(seeded.dan.react('like', cast, soon + 20), bob.react('recast', seeded.casts.emoji, soon + 30));
  for (const seconds of [0, 299, 301, 311, 321, 331]) {
    ahead = seconds * 1000;
    await compare();
  }
  ahead = 0;
});
