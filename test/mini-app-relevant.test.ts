import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { storeMiniApps } from './support/mini-app-catalog.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

/** Mini apps that accounts close to a viewer cast. */

const HOUR = 3600;
const { alice, bob, carol, dan, erin, frank, grace, heidi } = FIDS;

let network: Network;
let seeded: Seeded;
let nowMs: number;
beforeAll(async () => {
  nowMs = Date.now();
  network = await startNetwork({}, undefined, { clock: () => nowMs });
  seeded = await seedBasics((items) => network.load(items), fromUnixMs(nowMs) - 30 * 24 * HOUR);
  // Heidi follows grace, frank and erin, and is friends with bob.
  const cast = seeded.heidi.cast({ text: 'Hello' });
  await seeded.send(
    cast,
    seeded.heidi.follow(grace),
    seeded.heidi.follow(frank),
    seeded.heidi.follow(erin),
    seeded.bob.react('like', cast),
    seeded.heidi.react('like', seeded.bob.cast({ text: 'x' })),
  );
  const own = seeded.bob.cast({ text: 'Soil' });
  await seeded.send(own, seeded.heidi.react('like', own));
});
afterAll(() => network.stop());
beforeEach(async () => {
  for (const table of ['catalog_domain', 'mute', 'ban']) await network.sql(`delete from ${table}`);
  await network.sql(`delete from "cast" where embeds <> '[]'`);
});

let casts = 0;
/** Casts the address of a mini app. @param age seconds */
const share = (who: keyof Omit<Seeded, 'clock' | 'casts' | 'send'>, domain: string, age = 60) =>
  seeded.send(
    seeded[who].cast({
      text: `Look, ${++casts}`,
      embeds: [`https://${domain}/?${casts}`],
      at: fromUnixMs(nowMs) - age - (casts % 50),
    }),
  );

interface Relevant {
  readonly domain: string;
  readonly top: readonly number[];
  readonly others: readonly number[];
}
const relevant = async (query = ''): Promise<Relevant[]> => {
  const { status, body } = await network.get(`/v2/social/frame/relevant/?viewer_fid=${heidi}${query}`);
  expect([status, body.message]).toEqual([200, undefined]);
  // biome-ignore lint/suspicious/noExplicitAny: a body of the service
  return body.relevant_frames.map(({ frame, top_relevant_users, remaining_relevant_users }: any) => ({
    domain: new URL(frame.frames_url).host,
    top: top_relevant_users.map(({ fid }: { fid: number }) => fid),
    others: remaining_relevant_users.map(({ fid }: { fid: number }) => fid),
  }));
};

test('friends and followed accounts count, friends first and more; others do not', async () => {
  await storeMiniApps(network, [
    { domain: 'friend.example' },
    { domain: 'followed.example' },
    { domain: 'none.example' },
    { domain: 'own.example' },
  ]);
  await share('bob', 'friend.example');
  await share('grace', 'friend.example');
  await share('frank', 'followed.example');
  await share('carol', 'none.example');
  await share('heidi', 'own.example');
  await share('bob', 'unknown.example');
  expect(await relevant()).toEqual([
    { domain: 'friend.example', top: [bob, grace], others: [] },
    { domain: 'followed.example', top: [frank], others: [] },
  ]);
  const { body } = await network.get(`/v2/social/frame/relevant/?viewer_fid=${heidi}`);
  expect(body.relevant_frames[0].top_relevant_users[0]).toMatchObject({
    object: 'user',
    username: 'bob',
    viewer_context: { following: false, followed_by: false },
  });
  expect(body.relevant_frames[0].frame).toMatchObject({ version: '1', image: 'https://friend.example/card.png' });
});

test('casts count within the period alone', async () => {
  await storeMiniApps(network, [{ domain: 'a.example' }, { domain: 'b.example' }, { domain: 'c.example' }]);
  await share('grace', 'a.example', HOUR / 2);
  await share('grace', 'b.example', 5 * HOUR);
  await share('grace', 'c.example', 6 * 24 * HOUR);
  await share('frank', 'a.example', 8 * 24 * HOUR);
  const domains = async (window: string) => (await relevant(`&time_window=${window}`)).map(({ domain }) => domain);
  expect(await domains('1h')).toEqual(['a.example']);
  expect(await domains('6h')).toEqual(['a.example', 'b.example']);
  expect(await domains('24h')).toEqual(['a.example', 'b.example']);
  expect(await domains('7d')).toEqual(['a.example', 'b.example', 'c.example']);
  expect((await relevant())[0]).toMatchObject({ top: [grace] });
});

test('three accounts are shown in full and the others dehydrated; networks and hidden mini apps are respected', async () => {
  await storeMiniApps(network, [
    { domain: 'many.example', networks: ['base'] },
    { domain: 'hidden.example', placement: 'hidden' },
    { domain: 'celo.example', networks: ['celo'] },
  ]);
  for (const who of ['bob', 'grace', 'frank', 'erin'] as const) await share(who, 'many.example');
  await share('bob', 'hidden.example');
  await share('grace', 'celo.example');
  const [many] = await relevant('&networks=base');
  expect(many).toMatchObject({ domain: 'many.example', top: [bob, expect.any(Number), expect.any(Number)] });
  expect([...(many?.top ?? []), ...(many?.others ?? [])].sort()).toEqual([bob, erin, frank, grace].sort());
  expect(many?.others).toHaveLength(1);
  expect((await relevant('&networks=base')).map(({ domain }) => domain)).toEqual(['many.example']);
  expect((await relevant()).map(({ domain }) => domain)).toEqual(['many.example', 'celo.example']);
});

test('mutes, bans and blocks leave out accounts, and mini apps of such authors', async () => {
  await storeMiniApps(network, [{ domain: 'a.example' }, { domain: 'b.example', authorFid: dan }]);
  for (const who of ['grace', 'frank', 'erin'] as const) await share(who, 'a.example');
  await share('grace', 'b.example');
  const fids = async () => Object.fromEntries((await relevant()).map(({ domain, top }) => [domain, [...top].sort()]));
  expect(await fids()).toEqual({ 'a.example': [erin, frank, grace].sort(), 'b.example': [grace] });
  await network.send('POST', '/v2/social/mute/', { fid: heidi, muted_fid: erin });
  expect(await fids()).toEqual({ 'a.example': [frank, grace].sort(), 'b.example': [grace] });
  await network.send('POST', '/v2/social/ban/', { fids: [frank] });
  expect(await fids()).toEqual({ 'a.example': [grace], 'b.example': [grace] });
  await seeded.send(seeded.dan.link('block', heidi));
  expect(await fids()).toEqual({ 'a.example': [grace] });
  await seeded.send(seeded.heidi.link('block', grace));
  expect(await fids()).toEqual({});
  await seeded.send(seeded.heidi.unlink('block', grace), seeded.dan.unlink('block', heidi));
  expect(await fids()).toMatchObject({ 'b.example': [grace] });
});

test('removed casts do not count; a viewer without friends sees nothing', async () => {
  await storeMiniApps(network, [{ domain: 'a.example' }]);
  const cast = seeded.grace.cast({ text: 'Gone', embeds: ['https://a.example/'], at: fromUnixMs(nowMs) - 60 });
  await seeded.send(cast);
  expect(await relevant()).toHaveLength(1);
  await seeded.send(seeded.grace.removeCast(cast.hash));
  expect(await relevant()).toEqual([]);
  for (const viewer of [99_999, carol + alice * 1_000_000]) {
    const { status, body } = await network.get(`/v2/social/frame/relevant/?viewer_fid=${viewer}`);
    expect([status, body]).toEqual([200, { relevant_frames: [] }]);
  }
  for (const query of ['', 'viewer_fid=0', 'viewer_fid=x', `viewer_fid=${heidi}&time_window=1d`]) {
    expect([query, (await network.get(`/v2/social/frame/relevant/?${query}`)).status]).toEqual([query, 400]);
  }
});
