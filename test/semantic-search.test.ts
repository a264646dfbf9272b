import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../src/log.js';
import type { Signed } from '../src/sample/signed-message.js';
import { embed, FAULTS, type FakeEmbedding, startFakeEmbedding } from './support/fake-embedding.js';
import { until } from './support/hub-fixture.js';
import { type Network, startNetwork } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

const KEY = 'sk-not-to-be-shown';

let fake: FakeEmbedding;
let network: Network;
let seeded: Seeded;
let names: Record<string, Signed>;

const stored = () =>
  network.sql<{ text: string; bytes: number }>(
    `select c.text, length(e.vector) as bytes from cast_embedding e join "cast" c using (fid, hash)`,
  );
const allStored = async (): Promise<boolean> => {
  const [{ missing } = { missing: -1 }] = await network.sql<{ missing: number }>(
    `select count(*)::int as missing from "cast" c
      where text <> '' and not exists (select from cast_embedding e where e.fid = c.fid and e.hash = c.hash)`,
  );
  return missing === 0;
};

beforeAll(async () => {
  fake = await startFakeEmbedding();
  network = await startNetwork(
    {
      CASTELLAN_EMBEDDING_URL: fake.url,
      CASTELLAN_EMBEDDING_MODEL: 'small',
      CASTELLAN_EMBEDDING_KEY: KEY,
    },
    createLog('silent'),
    { timings: { embeddingMs: 50 } },
  );
  seeded = await seedBasics((items) => network.load(items));
  const { alice, bob, carol, dan } = seeded;
  names = {
    soup: alice.cast({ text: 'Soup again' }),
    bread: bob.cast({ text: 'Warm bread', parent: CHANNEL_URL }),
    storm: carol.cast({ text: 'A storm is coming' }),
    choir: dan.cast({ text: 'The choir sang' }),
    dinner: dan.cast({ text: 'Dinner, with a song' }),
    nothing: dan.cast({ text: '', embeds: ['https://image.example/soup.png'] }),
  };
  await seeded.send(...Object.values(names));
  await until(allStored);
});
beforeEach(() => {
  fake.answer = embed;
});
afterAll(async () => {
  await network.stop();
  await fake.stop();
});

const search = (q: string, more = '') =>
  network.get(`/v2/social/cast/search/?q=${encodeURIComponent(q)}&mode=semantic${more}`);
const nameOf = ({ hash }: { hash: string }): string | undefined =>
  Object.entries(names).find(([, cast]) => `0x${Buffer.from(cast.hash).toString('hex')}` === hash)?.[0];
const found = async (q: string, more = ''): Promise<(string | undefined)[]> => {
  const { status, body } = await search(q, more);
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  return body.result.casts.map(nameOf).filter((name: string | undefined) => name !== undefined);
};

test('every cast with a text has a vector, and none is asked for twice', async () => {
  const texts = fake.asked().flatMap(({ input }) => input);
  expect(new Set(texts).size).toBe(texts.length);
  expect(fake.asked().every(({ model, input }) => model === 'small' && input.length <= 16)).toBe(true);
  expect((await stored()).find(({ text }) => text === 'Soup again')?.bytes).toBe(4);
});

test('casts are found by what they mean, not by their words, sorted by time', async () => {
  expect(await found('something to eat')).toEqual(['dinner', 'bread', 'soup']);
  expect(await found('something to eat', '&sort_type=chron')).toEqual(['soup', 'bread', 'dinner']);
  expect(await found('clouds')).toEqual(['storm']);
  expect(await found('a melody')).toEqual(['dinner', 'choir']);
});

test('pages follow each other, and each cast stands on one of them', async () => {
  const first = (await search('food', '&limit=2')).body.result;
  expect(first.casts.map(nameOf)).toEqual(['dinner', 'bread']);
  const second = (await search('food', `&limit=2&cursor=${first.next.cursor}`)).body.result;
  expect(second.casts.map(nameOf)).toEqual(['soup']);
  expect(second.next.cursor).toBeNull();
});

test('filters choose the casts that are looked at', async () => {
  expect(await found('food', `&author_fid=${FIDS.bob}`)).toEqual(['bread']);
  expect(await found('food', `&parent_url=${encodeURIComponent(CHANNEL_URL)}`)).toEqual(['bread']);
  expect(await found('food', `&author_fid=${FIDS.alice}&channel_id=unknown`)).toEqual([]);
  const [cast] = (await search('food', '&limit=1')).body.result.casts;
  const day = String(cast.timestamp).slice(0, 10);
  expect(await found(`food before:${day}`)).toEqual([]);
  expect(await found(`food after:${day}`)).toEqual(['dinner', 'bread', 'soup']);
});

test('a viewer does not find those that it muted', async () => {
  await network.send('POST', '/v2/social/mute/', { fid: FIDS.erin, muted_fid: FIDS.bob });
  expect(await found('food', `&viewer_fid=${FIDS.erin}`)).toEqual(['dinner', 'soup']);
  expect(await found('food', `&viewer_fid=${FIDS.alice}`)).toEqual(['dinner', 'bread', 'soup']);
});

test('mode=hybrid finds by words and by meaning, each cast once', async () => {
  const hybrid = async (q: string, more = ''): Promise<(string | undefined)[]> =>
    (await network.get(`/v2/social/cast/search/?q=${encodeURIComponent(q)}&mode=hybrid${more}`)).body.result.casts.map(
      nameOf,
    );
  // One has the word, the others the meaning.
  expect(await hybrid('bread')).toEqual(['dinner', 'bread', 'soup']);
  expect(await hybrid('coming soup')).toEqual(['dinner', 'bread', 'soup']);
  expect(await hybrid('coming')).toContain('storm');
});

test('a text is asked for once, whatever the page', async () => {
  const count = (): number => fake.asked().filter(({ input }) => input[0] === 'rain or snow').length;
  await search('rain or snow');
  await search('rain   or snow ', `&author_fid=${FIDS.carol}`);
  expect(count()).toBe(1);
});

test('a new cast is found, and a removed one leaves nothing behind', async () => {
  const { alice } = seeded;
  const snow = alice.cast({ text: 'Snow in May' });
  await seeded.send(snow);
  await until(allStored);
  expect((await search('weather')).body.result.casts).toHaveLength(2);
  await seeded.send(alice.removeCast(snow.hash));
  expect(await found('weather')).toEqual(['storm']);
  expect((await stored()).map(({ text }) => text)).not.toContain('Snow in May');
  const [row] = await network.sql<{ count: number }>('select count(*)::int as count from cast_embedding');
  expect(row?.count).toBe((await stored()).length);
});

test('a text that the model refuses is asked for once more, alone, and then never again', async () => {
  fake.answer = (asked, response) =>
    asked.input.some((text) => text.includes('Endless'))
      ? void response.writeHead(400).end('{"error":"too long"}')
      : embed(asked, response);
  await seeded.send(seeded.alice.cast({ text: 'Endless soup' }), seeded.alice.cast({ text: 'More bread' }));
  await until(allStored);
  const refused = (await stored()).find(({ text }) => text === 'Endless soup');
  expect(refused?.bytes).toBe(0);
  expect((await search('food')).body.result.casts).toHaveLength(4);
});

test.each(Object.entries(FAULTS))('%s is a 500 that tells no more than that', async (_, answer) => {
  fake.answer = answer;
  const { status, body } = await search(`soup for ${answer}`.slice(0, 100));
  expect({ status, code: body.code }).toEqual({ status: 500, code: 'ModelFailed' });
  expect(JSON.stringify(body)).not.toContain(KEY);
  fake.answer = embed;
  // It is asked again.
  expect((await search(`soup for ${answer}`.slice(0, 100))).status).toBe(200);
});

test('what is asked wrongly is refused with the member at fault', async () => {
  for (const q of ['before:2024-01-01', '...', 'soup before:soon', 'x'.repeat(501)]) {
    expect(await search(q)).toMatchObject({ status: 400, body: { property: 'q' } });
  }
});
