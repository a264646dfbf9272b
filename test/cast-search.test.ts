import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Signed } from '../src/sample/signed-message.js';
import { storeChannels } from './support/channel.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let names: Record<string, Signed>;

const garden = {
  id: 'garden',
  parentUrl: CHANNEL_URL,
  url: CHANNEL_URL,
  name: 'Garden',
  description: null,
  imageUrl: null,
  leadFid: FIDS.carol,
  createdAt: new Date('2024-01-15T00:00:00Z'),
};

beforeAll(async () => {
  network = await startNetwork();
  await network.app.core.db.transaction((session) => storeChannels(session, [garden]));
  seeded = await seedBasics(async (items) => {
    expect((await network.load(items)).invalid).toEqual({});
  });
  const { dan, erin } = seeded;
  const soil = erin.cast({ text: 'Good soil, good beans', parent: seeded.casts.channel });
  const elsewhere = dan.cast({ text: 'Beans elsewhere', parent: 'https://channel.example/other' });
  const old = dan.cast({ text: 'Beans of old', at: 86_400 });
  await seeded.send(soil, elsewhere, old);
  names = { ...seeded.casts, soil, elsewhere, old };
});
afterAll(() => network.stop());

const hashOf = (cast: { readonly hash: Uint8Array }): string => `0x${Buffer.from(cast.hash).toString('hex')}`;
const ask = async (q: string, more = ''): Promise<TestResponse> => {
  const answer = await network.get(`/v2/social/cast/search/?q=${encodeURIComponent(q)}${more}`);
  if (contractAvailable && answer.status !== 501) {
    expect(validateAgainstContract('search-casts', answer.status, answer.body)).toEqual([]);
  }
  return answer;
};
const found = async (q: string, more = ''): Promise<string[]> => {
  const { status, body } = await ask(q, more);
  expect({ status, message: body.message }).toEqual({ status: 200 });
  const known = new Map(Object.entries(names).map(([name, cast]) => [hashOf(cast), name]));
  return body.result.casts.map((cast: { hash: string }) => known.get(cast.hash) ?? cast.hash);
};

test('casts are found by their words, latest first or oldest first', async () => {
  expect(await found('beans')).toEqual(['elsewhere', 'soil', 'channel', 'old']);
  expect(await found('beans', '&sort_type=chron')).toEqual(['old', 'channel', 'soil', 'elsewhere']);
  expect(await found('sowing beans')).toEqual(['channel']);
  expect(await found('BEANS -soil -old')).toEqual(['elsewhere', 'channel']);
  expect(await found('sowing | soil')).toEqual(['soil', 'channel']);
  expect(await found('"good beans"')).toEqual(['soil']);
  expect(await found('plen*', '&mode=literal')).toEqual(['reply']);
  expect(await found('nowhere')).toEqual([]);
});

test('before and after bound the time', async () => {
  expect(await found('beans before:2021-01-02')).toEqual([]);
  expect(await found('beans before:2021-01-03')).toEqual(['old']);
  expect(await found('beans after:2021-01-02T00:00:01Z', '&sort_type=chron')).toEqual(['channel', 'soil', 'elsewhere']);
});

test('author, channel and parent URL must hold as well', async () => {
  const url = `&parent_url=${encodeURIComponent(CHANNEL_URL)}`;
  expect(await found('beans', `&author_fid=${FIDS.dan}`)).toEqual(['elsewhere', 'old']);
  expect(await found('beans', `&author_fid=${FIDS.dan}&sort_type=chron`)).toEqual(['old', 'elsewhere']);
  expect(await found('beans', url)).toEqual(['soil', 'channel']);
  expect(await found('beans', '&channel_id=garden&sort_type=chron')).toEqual(['channel', 'soil']);
  expect(await found('beans', `&channel_id=garden&author_fid=${FIDS.erin}`)).toEqual(['soil']);
  expect(await found('beans', '&channel_id=nowhere')).toEqual([]);
  expect(await found('beans', '&channel_id=garden&parent_url=https://channel.example/other')).toEqual([]);
  expect(await found('beans', `&channel_id=garden${url}`)).toEqual(['soil', 'channel']);
});

test.each(['chron', 'desc_chron'])('results are paged, in order %s: each once', async (order) => {
  const whole = await found('beans', `&sort_type=${order}`);
  const seen: string[] = [];
  let cursor = '';
  do {
    const more = `&sort_type=${order}&limit=1&cursor=${cursor}`;
    seen.push(...(await found('beans', more)));
    cursor = (await ask('beans', more)).body.result.next.cursor;
  } while (cursor !== null);
  expect(seen).toEqual(whole);
});

test('who the viewer muted is not found, and viewer_context is there for a viewer alone', async () => {
  const { db } = network.app.core;
  const [app] = await db.run<{ id: string }>('select id from app limit 1');
  await db.run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [
    FIDS.grace,
    (app as { id: string }).id,
    FIDS.dan,
  ]);
  expect(await found('beans', `&viewer_fid=${FIDS.grace}`)).toEqual(['soil', 'channel']);
  expect(await found('beans')).toEqual(['elsewhere', 'soil', 'channel', 'old']);
  const [cast] = (await ask('soil', `&viewer_fid=${FIDS.grace}`)).body.result.casts;
  expect(cast.viewer_context).toEqual({ liked: false, recasted: false });
  expect((await ask('soil')).body.result.casts[0].viewer_context).toBeUndefined();
  await db.run('delete from mute');
});

test('rare words are found behind many casts without them', async () => {
  await network.app.core.db.run(
    `insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer)
     select 70, decode(lpad(to_hex(g), 40, '0'), 'hex'), 180000000 + g, 'filler', 70, '\\x00', '\\x00'
       from generate_series(1, 1200) g`,
  );
  expect(await found('beans')).toEqual(['elsewhere', 'soil', 'channel', 'old']);
  expect(await found('beans', '&sort_type=chron&limit=2')).toEqual(['old', 'channel']);
  await network.app.core.db.run('delete from "cast" where fid = 70');
});

test('a query that comes to too many words is refused, and costs no more than a refusal', async () => {
  for (const q of ['"a b c d"~3 '.repeat(40), `"${'a-'.repeat(200)}a b c d"~3`]) {
    const { status, body, headers } = await ask(q);
    expect({ status, property: body.property }).toEqual({ status: 400, property: 'q' });
    expect(body.message).toMatch(/may come to 160: use fewer words, and fewer or shorter phrases with ~/);
    expect(headers.get('x-compute-units')).toBe('10');
  }
});

/** The embedded database works in this process: its processor time says what a query takes, whatever else is running. */
const spentMs = (): number => {
  if (process.env.TEST_DATABASE_URL !== undefined) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

// Nothing interrupts the embedded database, so the size of the query alone bounds how long everything else waits.
test('the largest queries that are taken are answered in well under a second', { timeout: 60_000 }, async () => {
  await network.app.core.db.run(
    `insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer)
     select 70, decode(lpad(to_hex(g), 40, '0'), 'hex'), 180000000 + g,
            'a walk by the sea, b and c, then d: ' || md5(g::text), 70, '\\x00', '\\x00'
       from generate_series(1, 5000) g`,
  );
  await network.app.core.db.analyze();
  const most = ['"d c b a"~3', '"a a"~3|"b b"~3|"c c"~3|"d d"~3|'.repeat(5).slice(0, -1), `"${'a b c d '.repeat(40)}"`];
  for (const q of most) {
    for (const order of ['chron', 'desc_chron']) {
      const begin = spentMs();
      await found(q, `&sort_type=${order}`);
      expect(spentMs() - begin).toBeLessThan(1000);
    }
  }
  await network.app.core.db.run('delete from "cast" where fid = 70');
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a search that takes too long is given up, costs its price, and holds up no other read',
  { timeout: 30_000 },
  async () => {
    const { db } = network.app.core;
    await db.transaction(async (session) => {
      await session.script('lock table "cast" in access exclusive mode');
      const searches = ['sea', 'walk'].map((q) => ask(q, '&limit=20'));
      const begin = performance.now();
      // Past the cache of profiles, so that the database is asked.
      for (const username of ['nobody-a', 'nobody-b', 'nobody-c']) {
        const { status } = await network.get(`/v2/social/user/by_username/?username=${username}`);
        expect(status).toBe(404);
      }
      expect(performance.now() - begin).toBeLessThan(2500);
      for (const { status, body, headers } of await Promise.all(searches)) {
        expect({ status, property: body.property }).toEqual({ status: 400, property: 'q' });
        expect(body.message).toMatch(/takes too long to search for: use rarer words/);
        expect(headers.get('x-compute-units')).toBe('200');
      }
    });
  },
);

test('searches by meaning say that they cannot be done', async () => {
  for (const mode of ['semantic', 'hybrid']) {
    expect(await ask('beans', `&mode=${mode}`)).toMatchObject({
      status: 501,
      body: {
        code: 'NotImplemented',
        property: 'mode',
        message: expect.stringMatching(/need an embedding model, .* Use mode=literal, or leave mode out/),
      },
    });
  }
});

test('what is asked wrongly is refused with the member at fault', async () => {
  const { next } = (await ask('beans', '&limit=1')).body.result;
  const bad: [string, string, string][] = [
    ['', '', 'q'],
    ['-beans', '', 'q'],
    ['bean~1', '', 'q'],
    ['beans before:soon', '', 'q'],
    ['beans', '&mode=magic', 'mode'],
    ['beans', '&sort_type=best', 'sort_type'],
    ['beans', '&author_fid=0', 'author_fid'],
    ['beans', '&viewer_fid=0', 'viewer_fid'],
    ['beans', '&limit=0', 'limit'],
    ['beans', '&limit=101', 'limit'],
    ['soil', `&cursor=${next.cursor}`, 'cursor'],
    ['beans', `&sort_type=chron&cursor=${next.cursor}`, 'cursor'],
  ];
  for (const [q, more, property] of bad) {
    const { status, body } = await ask(q, more);
    expect({ q, more, status, property: body.property }).toEqual({ q, more, status: 400, property });
  }
});
