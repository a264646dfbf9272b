import { UserDataType } from '@farcaster/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer, type Server } from '../src/api/server.js';
import type { Signed } from '../src/sample/signed.js';
import { EVERYTHING_TOUCHED } from '../src/store/change.js';
import { startSecondService } from './support/app.js';
import { openTestHydrate } from './support/hydrate.js';
import { type Network, startNetwork } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

/**
 * Pages, casts and users are kept in memory in several forms. Whatever happens, the service must answer as one that
 * keeps nothing: both answer the same questions after each of many random events, and so the kept answers of the
 * first are always from before the event.
 */

let network: Network;
let seeded: Seeded;
/** The process where things happen. */
let writing: Pick<Network, 'load'> & { send(method: string, path: string, body: unknown): Promise<unknown> };
let forgetful: Server;
let forget: () => void;
const casts: Signed[] = [];
const hex = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;

beforeAll(async () => {
  network = await startNetwork();
  writing = network;
  seeded = await seedBasics((items) => writing.load(items));
  const { services } = network.app;
  await services.db.run(
    `insert into channel (id, url, parent_url, name, created_at) values ('garden', $1, $1, 'Garden', now()) on conflict do nothing`,
    [CHANNEL_URL],
  );
  const { freshness, ...reading } = openTestHydrate(services.db, 0);
  forget = () => freshness.touched(EVERYTHING_TOUCHED);
  forgetful = buildServer({ ...services, ...reading });
  await forgetful.fastify.ready();
  const { hello, channel, reply, deepReply, quote, emoji } = seeded.casts;
  casts.push(hello, channel, reply, deepReply, quote, emoji);
});
afterAll(async () => {
  await forgetful.stop();
  await network.stop();
});

const PEOPLE = ['alice', 'bob', 'carol', 'dan'] as const;
const [ALICE, BOB] = [FIDS.alice, FIDS.bob];

const questions = (): string[] => {
  const url = encodeURIComponent(CHANNEL_URL);
  const [hello, reply] = [seeded.casts.hello, seeded.casts.reply].map(hex);
  const lists = [
    `followers/?fid=${ALICE}`,
    `following/?fid=${BOB}&sort_type=algorithmic`,
    `followers/reciprocal/?fid=${ALICE}`,
    `following/suggested/?fid=${ALICE}`,
    `reactions/cast/?hash=${hello}&types=all`,
    `reactions/user/?fid=${BOB}&type=all`,
    `feed/?feed_type=filter&filter_type=fids&fids=${ALICE},${BOB}`,
    `feed/following/?fid=${ALICE}`,
    `feed/parent_urls/?parent_urls=${url}&with_replies=true`,
    'feed/channels/?channel_ids=garden&members_only=false',
    `feed/user/casts/?fid=${BOB}`,
    `feed/user/popular/?fid=${ALICE}`,
    `feed/user/replies_and_recasts/?fid=${BOB}`,
    `cast/quotes/?identifier=${reply}&type=hash`,
    `cast/conversation/?identifier=${reply}&type=hash&include_chronological_parent_casts=true`,
    'cast/search/?q=event',
    'user/search/?q=a',
    'user/by_location/?latitude=38.7&longitude=-9.1',
    `user/bulk/?fids=${Object.values(FIDS).join(',')}`,
    `casts/?casts=${casts.slice(-20).map(hex).join(',')}`,
  ];
  return [
    ...['', `&viewer_fid=${ALICE}`].flatMap((viewer) => lists.map((path) => `${path}${viewer}`)),
    ...[ALICE, BOB].flatMap((fid) => [
      `notifications/?fid=${fid}`,
      `notifications/?fid=${fid}&type=likes,follows`,
      `notifications/channel/?fid=${fid}&channel_ids=garden`,
      `followers/relevant/?target_fid=${FIDS.carol}&viewer_fid=${fid}`,
      `user/best_friends/?fid=${fid}`,
    ]),
  ].map((path) => `/v2/social/${path}`);
};

/** The answer without what may differ: a kept first page has an earlier time in its cursor. */
const compared = (text: string): unknown => {
  const body = JSON.parse(text);
  const next = (body.result ?? body).next;
  if (next?.cursor) next.cursor = 'more';
  return body;
};

const ask = async (server: Server, path: string) => {
  const { body, statusCode } = await server.fastify.inject({ url: path, headers: { 'x-api-key': network.apiKey } });
  expect([path, statusCode, statusCode === 200 ? '' : body]).toEqual([path, 200, '']);
  return body;
};

const askKeeping = async (path: string): Promise<string> => {
  const response = await fetch(`${network.url}${path}`, { headers: { 'x-api-key': network.apiKey } });
  return response.text();
};

const compare = async (path: string, after: string): Promise<string> => {
  const [kept, fresh] = [await askKeeping(path), await ask(forgetful, path)];
  expect(compared(kept), `${path} after ${after}`).toEqual(compared(fresh));
  return kept;
};

/** Lists whose pages are kept: there a cursor may come out of a kept page, too. */
const KEPT = /feed\/following|followers\/\?|notifications\/\?fid=\d+$|reactions\/user|by_location/;

const compareAll = async (after: string): Promise<void> => {
  forget();
  for (const path of questions()) {
    await compare(path, after);
    if (!KEPT.test(path)) continue;
    const first = JSON.parse(await compare(`${path}&limit=2`, after));
    const cursor = (first.result ?? first).next?.cursor;
    if (cursor) await compare(`${path}&limit=2&cursor=${cursor}`, after);
  }
};

interface Event {
  readonly kind: keyof typeof EVENTS;
  readonly who: number;
  readonly whom: number;
  readonly what: number;
}

type Scene = { who: Seeded['alice']; whom: Seeded['alice']; what: Signed; n: number };

const publish = async (cast: Signed): Promise<void> => {
  await seeded.send(cast);
  casts.push(cast);
};

const tell = (method: string, path: string, body: object) => writing.send(method, `/v2/social/${path}`, body);

const EVENTS = {
  cast: ({ who, n }: Scene) => publish(who.cast({ text: `event ${n}`, parent: CHANNEL_URL })),
  mention: ({ who, whom, n }: Scene) => publish(who.cast({ text: [`event ${n} `, whom.fid] })),
  reply: ({ who, what, n }: Scene) => publish(who.cast({ text: `event ${n}`, parent: what })),
  quote: ({ who, what, n }: Scene) => publish(who.cast({ text: `event ${n}`, embeds: [what] })),
  removeCast: ({ what }: Scene) => {
    const author = PEOPLE.map((name) => seeded[name]).find(({ fid }) => fid === what.fid);
    const isOfTheSeed = Object.values(seeded.casts).includes(what);
    return isOfTheSeed || author === undefined ? undefined : seeded.send(author.removeCast(what.hash));
  },
  like: ({ who, what }: Scene) => seeded.send(who.react('like', what)),
  unlike: ({ who, what }: Scene) => seeded.send(who.unreact('like', what)),
  recast: ({ who, what }: Scene) => seeded.send(who.react('recast', what)),
  unrecast: ({ who, what }: Scene) => seeded.send(who.unreact('recast', what)),
  follow: ({ who, whom }: Scene) => (who === whom ? undefined : seeded.send(who.follow(whom.fid))),
  unfollow: ({ who, whom }: Scene) => (who === whom ? undefined : seeded.send(who.unfollow(whom.fid))),
  block: ({ who, whom }: Scene) => (who === whom ? undefined : seeded.send(who.link('block', whom.fid))),
  unblock: ({ who, whom }: Scene) => (who === whom ? undefined : seeded.send(who.unlink('block', whom.fid))),
  mute: ({ who, whom }: Scene) =>
    who === whom ? undefined : tell('POST', 'mute/', { fid: who.fid, muted_fid: whom.fid }),
  unmute: ({ who, whom }: Scene) => tell('DELETE', 'mute/', { fid: who.fid, muted_fid: whom.fid }),
  ban: ({ who }: Scene) => tell('POST', 'ban/', { fids: [who.fid] }),
  unban: () => tell('DELETE', 'ban/', { fids: PEOPLE.map((name) => FIDS[name]) }),
  seen: ({ who }: Scene) => tell('POST', 'notifications/seen/', { fid: who.fid }),
  display: ({ who, n }: Scene) => seeded.send(who.userData(UserDataType.DISPLAY, `event ${n}`)),
  bio: ({ who, n }: Scene) => seeded.send(who.userData(UserDataType.BIO, `@alice and @bob in /garden, ${n}`)),
  nameless: ({ who }: Scene) => seeded.send(who.userData(UserDataType.USERNAME, '')),
  named: ({ who }: Scene) =>
    seeded.send(who.userData(UserDataType.USERNAME, PEOPLE.find((name) => FIDS[name] === who.fid) as string)),
  move: ({ who, n }: Scene) => seeded.send(who.userData(UserDataType.LOCATION, `geo:38.${10 + (n % 80)},-9.14`)),
  leave: ({ who }: Scene) => seeded.send(who.userData(UserDataType.LOCATION, '')),
  wait: () => undefined,
} satisfies Record<string, (scene: Scene) => unknown>;

const place = fc.nat({ max: 1_000_000 });
const events: fc.Arbitrary<Event[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(EVENTS) as (keyof typeof EVENTS)[])),
    who: place,
    whom: place,
    what: place,
  }),
  { minLength: 20, maxLength: 20 },
);

let count = 0;
const history: string[] = [];

const happen = async ({ kind, who, whom, what }: Event): Promise<void> => {
  const person = (one: number) => seeded[PEOPLE[one % PEOPLE.length] as (typeof PEOPLE)[number]];
  const scene = { who: person(who), whom: person(whom), what: casts[what % casts.length] as Signed, n: count++ };
  history.push(`${kind} by ${scene.who.fid} to ${scene.whom.fid} about ${hex(scene.what).slice(0, 8)}`);
  await EVENTS[kind](scene);
};

const latest = (length: number): string => history.slice(-length).join('; ');

const holds = (runs: number, course: (events: readonly Event[]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(events, course), { numRuns: runs, endOnFailure: true });

test('after whatever happens, the service answers as if it kept nothing', async () => {
  await holds(1, async (course) => {
    for (const event of course) {
      await happen(event);
      await compareAll(latest(4));
    }
  });
}, 600_000);

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a second after whatever happened in another process, too',
  async () => {
    const second = await startSecondService(network);
    writing = second;
    try {
      await holds(6, async (course) => {
        await compareAll('nothing at all');
        for (const event of course) await happen(event);
        await new Promise((resolve) => setTimeout(resolve, 1000));
        await compareAll(latest(course.length));
      });
    } finally {
      writing = network;
      await second.stop();
    }
  },
  600_000,
);
