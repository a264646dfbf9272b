import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { storeChannels } from './support/channel.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

const [HOUR, DAY] = [3600, 86_400];
/** A while after the start of a day, of six hours and of an hour. */
const NOW_MS = Date.parse('2026-03-14T15:09:26Z');
const NOW = fromUnixMs(NOW_MS);
const RESOLUTION = { '1d': HOUR, '7d': 6 * HOUR, '30d': DAY, '90d': DAY, '180d': DAY } as const;
type Interval = keyof typeof RESOLUTION;

let network: Network;
let seeded: Seeded;
let nowMs = NOW_MS;

beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => nowMs });
  await storeChannels(network.app.core.db, [{ id: 'garden', parentUrl: CHANNEL_URL, leadFid: FIDS.carol }]);
  await network.sql(
    `insert into channel_parent_url (channel_id, url) values ('garden', 'https://channel.example/old/garden')`,
  );
  seeded = await seedBasics((items) => network.load(items), NOW - 200 * DAY);
  const { alice, bob, dan } = seeded;
  const walks = [0, 1, 30 * 60, HOUR, 5 * HOUR, 20 * HOUR, 3 * DAY, 6 * DAY, 25 * DAY, 26 * DAY, 80 * DAY, 170 * DAY];
  await seeded.send(
    ...walks.map((ago) => alice.cast({ text: 'a walk by the sea', at: NOW - ago })),
    bob.cast({ text: 'a walk in the garden', parent: CHANNEL_URL, at: NOW - 2 * DAY }),
    dan.cast({ text: 'the old walk', parent: 'https://channel.example/old/garden', at: NOW - 3 * DAY }),
    dan.cast({ text: 'the walk of another', parent: 'https://channel.example/other', at: NOW - 3 * DAY }),
    dan.cast({ text: 'a walk to come', at: NOW + 100 }),
  );
});
afterAll(() => network.stop());

interface Bucket {
  readonly start: string;
  readonly resolution_in_seconds: number;
  readonly cast_count: number;
}

const ask = async (q: string, more = ''): Promise<TestResponse> => {
  const answer = await network.get(`/v2/social/cast/metrics/?q=${encodeURIComponent(q)}${more}`);
  if (contractAvailable) {
    expect(validateAgainstContract('fetch-cast-metrics', answer.status, answer.body)).toEqual([]);
  }
  return answer;
};
const buckets = async (q: string, more = ''): Promise<readonly Bucket[]> => {
  const { status, body } = await ask(q, more);
  expect({ status, message: body.message }).toEqual({ status: 200 });
  return body.metrics;
};
const total = async (q: string, more = ''): Promise<number> =>
  (await buckets(q, more)).reduce((sum, { cast_count: count }) => sum + count, 0);

/** Times of all casts that the search finds, in Unix milliseconds. */
const found = async (q: string, more = ''): Promise<number[]> => {
  const { body } = await network.get(`/v2/social/cast/search/?limit=100&q=${encodeURIComponent(q)}${more}`);
  return body.result.casts.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
};

const NARROWED = ['', `&author_fid=${FIDS.dan}`, '&channel_id=garden', `&channel_id=garden&author_fid=${FIDS.dan}`];

test.each(Object.keys(RESOLUTION) as Interval[])('%s: the casts that a search finds, by time', async (interval) => {
  const resolution = RESOLUTION[interval];
  for (const q of ['walk', 'walk -sea', '"a walk"', '"the walk" | "the old"', 'wal* the', 'tomatoes', 'nowhere']) {
    for (const more of NARROWED) {
      const given = await buckets(q, `&interval=${interval}${more}`);
      const times = await found(q, more);
      const size = (Number.parseInt(interval, 10) * DAY) / resolution;
      const last = Math.floor(NOW_MS / (1000 * resolution)) * resolution * 1000;
      const expected = Array.from({ length: size }, (_, n) => {
        const start = last - (size - 1 - n) * resolution * 1000;
        const within = times.filter((at) => at >= start && at < start + resolution * 1000 && at <= NOW_MS);
        return {
          start: new Date(start).toISOString(),
          resolution_in_seconds: resolution,
          cast_count: within.length,
        };
      });
      expect(given, `${q}${more}`).toEqual(expected);
    }
  }
});

test('thirty days are counted unless another interval is asked for', async () => {
  expect(await buckets('walk')).toEqual(await buckets('walk', '&interval=30d'));
  expect(await total('walk')).toBe(13);
  expect(await total('walk', '&interval=180d')).toBe(15);
});

test('every spelling of the URL of a channel counts, and an unknown channel has no casts', async () => {
  expect(await total('walk', '&channel_id=garden')).toBe(2);
  expect(await total('walk', '&channel_id=%20Garden')).toBe(2);
  expect(await buckets('walk', '&channel_id=nowhere')).toEqual(
    (await buckets('walk')).map((bucket) => ({ ...bucket, cast_count: 0 })),
  );
});

test('before and after narrow the time within the interval, whose buckets stay', async () => {
  expect(await total('walk after:2026-03-13 before:2026-03-14')).toBe(1);
  expect(await total('walk before:2025-01-01')).toBe(0);
  expect(await buckets('walk before:2025-01-01')).toHaveLength(30);
  expect(await total('walk after:2020-01-01')).toBe(13);
  expect(await total('walk after:2030-01-01')).toBe(0);
});

test('deleted casts and those of banned accounts do not count, and later casts do at their time', async () => {
  const { bob } = seeded;
  const cast = bob.cast({ text: 'zebra', at: NOW - 60 });
  await seeded.send(cast);
  expect(await total('zebra')).toBe(1);
  await seeded.send(bob.removeCast(cast.hash, NOW - 50));
  expect(await total('zebra')).toBe(0);
  const before = await total('walk');
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.dan] });
  expect(await total('walk')).toBe(before - 2);
  expect(await total('walk', '&interval=180d')).toBe(13);
  await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.dan] });
  nowMs += 100_000;
  expect(await total('walk')).toBe(before + 1);
  nowMs = NOW_MS;
});

/** Casts of an account without others, all with the words in this order, within the last day. */
const fill = (count: number, text: string): Promise<unknown> =>
  network.sql(
    `insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer)
     select 70, decode(lpad(to_hex(g), 40, '0'), 'hex'), $1::integer - g % 80000, $2, 70, '\\x00', '\\x00'
       from generate_series(1, $3::integer) g`,
    [NOW, text, count],
  );

test('a phrase is counted exactly among as many casts as can be read again, and refused beyond', async () => {
  await fill(9_999, 'good morning');
  await network.sql(`update "cast" set text = 'morning, good morning' where fid = 70 and ts % 2 = 0`);
  await seeded.send(seeded.bob.cast({ text: 'morning is good', at: NOW - 70 }));
  expect(await total('"good morning"')).toBe(9_999);
  expect(await total('"morning good"')).toBe(
    (await network.sql(`select from "cast" where ts % 2 = 0 and fid = 70`)).length,
  );
  expect(await total('"morning is good"')).toBe(1);
  expect(await total('good -"good morning"')).toBe(1);
  await seeded.send(seeded.bob.cast({ text: 'a morning, good to see', at: NOW - 71 }));
  for (const q of ['"good morning"', 'good -"good morning"']) {
    const { status, body, headers } = await ask(q);
    expect({ q, status, property: body.property }).toEqual({ q, status: 400, property: 'q' });
    expect(body.message).toBe(
      'q takes too long to search for: use rarer words or longer prefixes, or narrow it with a shorter interval, ' +
        'author_fid, channel_id, before: or after:',
    );
    expect(headers.get('x-compute-units')).toBe('200');
  }
  expect(await total('good morning -is')).toBe(10_000);
  expect(await total('"good morning"', `&author_fid=${FIDS.bob}`)).toBe(0);
  await network.sql('delete from "cast" where fid = 70');
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a count that takes too long is given up, and costs its price',
  { timeout: 30_000 },
  async () => {
    await network.app.core.db.transaction(async (session) => {
      await session.script('lock table "cast" in access exclusive mode');
      const { status, body, headers } = await ask('sea');
      expect({ status, property: body.property }).toEqual({ status: 400, property: 'q' });
      expect(body.message).toMatch(/takes too long to search for: use rarer words/);
      expect(headers.get('x-compute-units')).toBe('200');
    });
  },
);

test('what is asked wrongly is refused with the member at fault', async () => {
  const bad: [string, string, string][] = [
    ['', '', 'q'],
    ['-beans', '', 'q'],
    ['beans before:soon', '', 'q'],
    ['beans', '&interval=2d', 'interval'],
    ['beans', '&author_fid=0', 'author_fid'],
  ];
  for (const [q, more, property] of bad) {
    const { status, body } = await ask(q, more);
    expect([q, more, status, body.property]).toEqual([q, more, 400, property]);
  }
});
