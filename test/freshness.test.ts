import './support/property-seed.js';
import { UserDataType } from '@farcaster/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Signed } from '../src/sample/signed-message.js';
import { kindOf, TagKind } from '../src/store/tag.js';
import { type NetworkEvents, networkEvents, UNREGISTERED_FID, USERS } from './support/network-event.js';
import {
  type QueryEnvironment,
  READ_QUERIES,
  type Reading,
  readCasesOf,
  readOperations,
} from './support/read-query.js';
import {
  openReader,
  type Reader,
  type ReadNetwork,
  startReadNetwork,
  type TestResponse,
} from './support/read-service.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { TAG_SCENARIOS } from './support/tag-scenario.js';

/**
 * Whatever happens, a service with a cache must answer as one without: the one that hears of changes as they are
 * committed, and the one that finds them in the change table, as another process does.
 */

let started: ReadNetwork;
let near: Reader;
let far: Reader;
let uncached: Reader;
/** Hears of all tags but those of one kind. */
let deaf: Reader;
let ignoredTag: keyof typeof TagKind | undefined;
let seeded: Seeded;
let events: NetworkEvents;
let world: QueryEnvironment;
/** Unix milliseconds that the clock of all readers is ahead. */
let ahead = 0;
const noon = Date.now();
const clock = (): number => noon + ahead;
const casts: Signed[] = [];
const hex = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;

const VIEWERS = [FIDS.alice];
const DAY_MS = 86_400_000;
/**
 * Events after which time alone changes answers, and when it does, in milliseconds: what is dated ahead comes, a pro
 * subscription ends. The last looks are at a clock that was set back.
 */
const LATER: Readonly<Record<string, readonly number[]>> = {
  ahead: [299_000, 301_000, 311_000, 331_000, 305_000, 0],
  buyPro: [366 * DAY_MS, 0],
};

beforeAll(async () => {
  started = await startReadNetwork(clock);
  const { network, ingest, change } = started;
  near = started.near;
  far = await openReader(network, { clock });
  uncached = await openReader(network, { clock, cacheBytes: 0, isFollowing: false });
  deaf = await openReader(network, {
    clock,
    hears: (tag) => ignoredTag === undefined || kindOf(tag) !== TagKind[ignoredTag],
  });
  seeded = await seedBasics((items) => ingest.submit(items, { source: 'sample', announce: false }));
  casts.push(...Object.values(seeded.casts));
  const { db } = network.app.services;
  const [app] = await db.run<{ app_id: string }>('select app_id from api_key order by created_at limit 1');
  events = networkEvents({
    db,
    seeded,
    ingest,
    change,
    freshness: near.freshness,
    appId: app?.app_id ?? '',
    now: noon,
    made: (cast) => casts.push(cast),
  });
  world = { seeded, fids: [...Object.values(FIDS), UNREGISTERED_FID], hashes: () => casts.map(hex) };
  await events.importChannels({ who: seeded.alice, other: seeded.bob, cast: seeded.casts.hello, n: 0 });
});
afterAll(async () => {
  await Promise.all([far, uncached, deaf].map((reader) => reader.stop()));
  await started.stop();
});

test('every operation that reads through the cache has a query in this test', () => {
  const ids = readOperations.map(({ id }) => id);
  expect(
    ids.filter((id) => READ_QUERIES[id] === undefined),
    'add a line to READING_QUERIES',
  ).toEqual([]);
  expect(
    Object.keys(READ_QUERIES).filter((id) => !ids.includes(id)),
    'no longer there',
  ).toEqual([]);
});

/** Operations of which at least one request of the table is answered without a statement when it is asked again. */
const CACHED = [
  'fetch-all-channels',
  'fetch-all-notifications',
  'fetch-bulk-casts',
  'fetch-bulk-channels',
  'fetch-bulk-users',
  'fetch-channel-members',
  'fetch-feed',
  'fetch-followers-for-a-channel',
  'fetch-trending-channels',
  'fetch-user-channel-memberships',
  'fetch-user-channels',
  'fetch-user-followers',
  'fetch-user-following-feed',
  'fetch-user-interactions',
  'fetch-user-reactions',
  'fetch-users-active-channels',
  'fetch-users-by-location',
  'hub-fetch-users-casts',
  'list-trending-topics',
  'lookup-cast-by-hash-or-url',
  'lookup-channel',
  'lookup-user-by-username',
];

test('what can be cached is answered without a statement', async () => {
  const silent = new Set<string>();
  for (const { operationId, path } of readCasesOf(world, VIEWERS)) {
    const { shown: first } = await near.ask(path);
    // What is not stored now may be after an event; any other error is a line of the table that asks for nothing.
    const text = JSON.stringify(first.body);
    expect(first.status === 200 || first.status === 404 || text.includes('No such cast'), `${path}: ${text}`).toBe(
      true,
    );
    near.watched.sent();
    expect((await near.ask(path)).shown).toEqual(first);
    if (near.watched.sent().length === 0) silent.add(operationId);
  }
  expect([...silent].sort()).toEqual(CACHED);
});

/** Places of second pages: asked for again and again, so that they are cached, too. */
const cursors = new Map<string, string>();

/** Asks every reader for a path, several times. @returns what is stored */
const compare = async (path: string, after: string): Promise<TestResponse> => {
  const stored = await uncached.ask(path);
  for (const time of ['first', 'second']) {
    expect((await near.ask(path)).shown, `${path}, ${time} time, after ${after}`).toEqual(stored.shown);
    expect((await far.ask(path)).shown, `${path}, ${time} time elsewhere, after ${after}`).toEqual(stored.shown);
  }
  return stored;
};

const compareBoth = async ({ path, hasPages, page }: Reading, after: string): Promise<void> => {
  const { cursor } = await compare(path, after);
  if (!hasPages) return;
  const place = cursors.get(path) ?? cursor;
  if (place === undefined) return;
  cursors.set(path, place);
  await compare(page(place), after);
};

interface Step {
  readonly kind: keyof NetworkEvents;
  readonly who: (typeof USERS)[number];
  readonly to: (typeof USERS)[number];
  readonly cast: number;
  /** Decides which requests of the table are asked after the event. */
  readonly part: number;
}

/** Of how many requests one is asked after an event: of those that are cached, and of the others. */
const [CACHED_PARTS, PARTS] = process.env.CASTELLAN_TEST_THOROUGH === '1' ? [8, 160] : [20, 400];

/** Events that change only what few requests show; they come twice. */
const TWICE = ['follow', 'unfollow', 'mute', 'block', 'addSigner', 'changeApp', 'location'] as const;

const compareAll = async (part: number, after: string): Promise<void> => {
  for (const [at, reading] of readCasesOf(world, VIEWERS).entries()) {
    const parts = CACHED.includes(reading.operationId) ? CACHED_PARTS : PARTS;
    if (at % parts === part % parts) await compareBoth(reading, after);
  }
};

const steps = (kinds: readonly (keyof NetworkEvents)[]): fc.Arbitrary<Step[]> => {
  // Most requests of the table are about alice.
  const person = fc.oneof(fc.constant('alice' as const), fc.constantFrom(...USERS));
  const scene = fc.record({ who: person, to: person, cast: fc.nat(), part: fc.nat() });
  return fc
    .tuple(
      fc.shuffledSubarray([...kinds], { minLength: kinds.length }),
      fc.array(scene, { minLength: kinds.length, maxLength: kinds.length }),
    )
    .map(([names, scenes]) => names.map((kind, at) => ({ ...(scenes[at] as Omit<Step, 'kind'>), kind })));
};

test('after every kind of event, every reader answers what is stored', async () => {
  const history: string[] = [];
  const course = steps([...(Object.keys(events) as (keyof NetworkEvents)[]), ...TWICE]);
  const run = async (all: readonly Step[]): Promise<void> => {
    for (const [n, { kind, who, to, cast: place, part }] of all.entries()) {
      // Few events do anything between an account and itself.
      const other = to !== who ? to : who === 'bob' ? 'carol' : 'bob';
      const cast = casts[place % casts.length] as Signed;
      history.push(`${kind} by ${who} to ${other} about ${hex(cast).slice(0, 8)}`);
      const latest = history.slice(-3).join('; ');
      await events[kind]({ who: seeded[who], other: seeded[other], cast, n });
      await far.catchUp();
      await compareAll(part, latest);
      for (const [turn, time] of (LATER[kind] ?? []).entries()) {
        ahead = time;
        await compareAll(part + turn, `${latest}; ${time} ms later`);
      }
    }
  };
  await fc.assert(fc.asyncProperty(course, run), { numRuns: 1, endOnFailure: true });
}, 300_000);

test.each(Object.keys(TAG_SCENARIOS) as (keyof typeof TagKind)[])(
  'a reader that ignores invalidations of the tag kind %s returns stale data',
  async (kind) => {
    const { before, path, event } = TAG_SCENARIOS[kind];
    const parts = { events, seeded, submit: seeded.send };
    await before?.(parts);
    const full = `/v2/social/${path(parts)}`;
    // Nothing cached before, so that nothing but the event decides.
    await deaf.catchUp();
    deaf.freshness.clock.invalidateAll();
    const { shown } = await compare(full, 'nothing');
    expect((await deaf.ask(full)).shown).toEqual(shown);
    ignoredTag = kind;
    await event(parts);
    await Promise.all([far.catchUp(), deaf.catchUp()]);
    const { shown: stored } = await compare(full, `the event for ${kind}`);
    expect(stored).not.toEqual(shown);
    expect((await deaf.ask(full)).shown).not.toEqual(stored);
    ignoredTag = undefined;
  },
);

test.each([
  ['casts', () => `casts/?casts=${casts.slice(0, 6).map(hex).join(',')}&viewer_fid=${FIDS.alice}`],
  ['notifications', () => `notifications/?fid=${FIDS.heidi}`],
  ['a feed', () => `feed/following/?fid=${FIDS.alice}&viewer_fid=${FIDS.carol}&limit=100`],
])('a change while any statement of %s is on its way is in the next answer', async (_, query) => {
  const path = `/v2/social/${query()}`;
  const { freshness, watched } = near;
  const statements = async (): Promise<string[]> => {
    freshness.clock.invalidateAll();
    watched.sent();
    await near.ask(path);
    return [...new Set(watched.sent())];
  };
  const names = await statements();
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    freshness.clock.invalidateAll();
    const release = watched.hold(name);
    const first = near.ask(path);
    const sent: string[] = [];
    await vi.waitFor(() => {
      sent.push(...watched.sent());
      expect(sent).toContain(name);
    });
    const before = (await uncached.ask(path)).shown;
    const { bob, heidi, carol } = seeded;
    const cast = bob.cast({ text: [`During ${name}, `, heidi.fid] });
    casts.push(cast);
    await seeded.send(cast, carol.react('like', cast), bob.userData(UserDataType.DISPLAY, `Bob, ${name}`));
    const joined = near.ask(path);
    release();
    await first;
    const after = (await uncached.ask(path)).shown;
    expect(after, name).not.toEqual(before);
    expect((await joined).shown, `asked while ${name} was on its way`).toEqual(after);
    expect((await near.ask(path)).shown, `asked after ${name}`).toEqual(after);
  }
});
