import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countChannelActivity } from '../src/job/channel-activity.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { storeChannels } from './support/channel.js';
import { type Network, startNetwork } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { rounds } from './support/rounds.js';

/** The list of trending channels, and the job that counts for it. */

const DAY = 86_400;
const NOW = Date.UTC(2026, 5, 1, 12);
const WINDOWS = { '1d': 1, '7d': 7, '30d': 30 } as const;
const CHANNELS = ['garden', 'kitchen', 'attic'] as const;
/** Every channel has two spellings in casts; the last URL is of none. */
const urlOf = (channel: number, spelling: number): string =>
  channel === CHANNELS.length
    ? 'https://nowhere.example'
    : spelling === 0
      ? `https://house.example/${CHANNELS[channel]}`
      : `https://warpcast.com/~/channel/${CHANNELS[channel]}`;

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
  await storeChannels(
    network.app.core.db,
    CHANNELS.map((id) => ({ id, parentUrl: `https://house.example/${id}` })),
  );
});
afterAll(() => network.stop());

const count = () => countChannelActivity({ db: network.app.core.db, now: NOW, changed: network.app.invalidate });

interface CastAt {
  readonly fid: number;
  readonly channel: number;
  readonly spelling: number;
  /** Seconds before the count. */
  readonly age: number;
}

const castAt: fc.Arbitrary<CastAt> = fc.record({
  fid: fc.integer({ min: 1, max: 4 }),
  channel: fc.integer({ min: 0, max: CHANNELS.length }),
  spelling: fc.integer({ min: 0, max: 1 }),
  // Also at the very edges of the windows, and after the count.
  age: fc.oneof(
    fc.integer({ min: -10, max: 31 * DAY }),
    fc.integer({ min: 0, max: DAY }),
    fc.constantFrom(0, DAY - 1, DAY, 7 * DAY - 1, 7 * DAY, 30 * DAY - 1, 30 * DAY),
  ),
});

/** What must be counted, computed cast by cast. */
const expected = (casts: readonly CastAt[], trusted: ReadonlySet<number>) =>
  CHANNELS.flatMap((id, channel) => {
    const counts = Object.values(WINDOWS).map((days) => {
      const byAuthorAndDay = new Map<string, number>();
      for (const cast of casts) {
        if (cast.channel !== channel || cast.age < 0 || cast.age >= days * DAY) continue;
        if (trusted.size > 0 && !trusted.has(cast.fid)) continue;
        const key = `${cast.fid} ${Math.floor(cast.age / DAY)}`;
        byAuthorAndDay.set(key, Math.min(20, (byAuthorAndDay.get(key) ?? 0) + 1));
      }
      return String([...byAuthorAndDay.values()].reduce((sum, one) => sum + one, 0));
    });
    return counts[2] === '0' ? [] : [{ id, counts }];
  });

const store = async (casts: readonly CastAt[], trusted: ReadonlySet<number>): Promise<void> => {
  for (const table of ['"cast"', 'account', 'channel_activity']) await network.sql(`delete from ${table}`);
  await network.sql(
    `insert into "cast" (fid, hash, ts, text, root_fid, root_hash, root_parent_url, signer)
     select fid, sha256(n::text::bytea), $4 - age, '', fid, '\\x00', url, '\\x00'
       from unnest($1::bigint[], $2::integer[], $3::text[]) with ordinality c(fid, age, url, n)`,
    [
      casts.map(({ fid }) => fid),
      casts.map(({ age }) => age),
      casts.map(({ channel, spelling }) => urlOf(channel, spelling)),
      fromUnixMs(NOW),
    ],
  );
  await network.sql(
    'insert into account (fid, score) select f, case when f = any($1) then 0.5 else 0.05 end from generate_series(1, 4) f',
    [[...trusted]],
  );
};

test('the counts are those of the casts, under every spelling, of trusted authors, twenty a day at most', async () => {
  const course = fc.tuple(
    fc.array(castAt, { maxLength: 120 }),
    // Authors who write far more than twenty a day.
    fc.array(fc.tuple(castAt, fc.integer({ min: 15, max: 30 })), { maxLength: 3 }),
    fc.uniqueArray(fc.integer({ min: 1, max: 4 })),
  );
  await fc.assert(
    fc.asyncProperty(course, async ([few, many, trust]) => {
      const casts = [...few, ...many.flatMap(([one, times]) => Array.from({ length: times }, () => one))];
      const trusted = new Set(trust);
      await store(casts, trusted);
      await count();
      const wanted = expected(casts, trusted);
      for (const [at, window] of Object.keys(WINDOWS).entries()) {
        const { body } = await network.get(`/v2/social/channel/trending/?time_window=${window}`);
        const shown = body.channels.map(
          // biome-ignore lint/suspicious/noExplicitAny: a body of the service
          ({ channel, cast_count_1d, cast_count_7d, cast_count_30d }: any) => ({
            id: channel.id,
            counts: [cast_count_1d, cast_count_7d, cast_count_30d],
          }),
        );
        const number = ({ counts }: { counts: string[] }): number => Number(counts[at]);
        const sorted = wanted
          .filter((one) => number(one) > 0)
          .sort((a, b) => number(b) - number(a) || (a.id < b.id ? -1 : 1));
        expect(shown).toEqual(sorted);
      }
    }),
    { numRuns: rounds(25), endOnFailure: true },
  );
});

test('a count shows at once, and pages that began before it go on with the earlier one', async () => {
  const many = Array.from({ length: 6 }, (_, n) => ({ fid: 1, channel: n % 3, spelling: 0, age: 60 * n }));
  await store(many, new Set());
  await count();
  const first = (await network.get('/v2/social/channel/trending/?limit=1')).body;
  await store([...many, ...many.map((one) => ({ ...one, channel: 2, fid: 2 }))], new Set());
  await network.sql("insert into channel_activity select to_timestamp($1), 'attic', 9, 9, 9", [NOW / 1000 + 1]);
  const now = (await network.get('/v2/social/channel/trending/?limit=1')).body;
  expect(now.channels[0].channel.id).toBe('attic');
  // The earlier count is gone in this test, which a cursor of it says.
  const late = await network.get(`/v2/social/channel/trending/?limit=1&cursor=${first.next.cursor}`);
  expect([late.status, late.body.property]).toEqual([400, 'cursor']);
});

test('what is not a period is refused', async () => {
  for (const window of ['2d', '', '1D']) {
    const { status, body } = await network.get(`/v2/social/channel/trending/?time_window=${window}`);
    expect([window, status, body.property]).toEqual([window, 400, 'time_window']);
  }
});

test('the list walks to its end', async () => {
  await network.sql('delete from channel_activity');
  const rows = 12;
  const id = (row: number): string => `walk${String(row).padStart(2, '0')}`;
  const numbers = Array.from({ length: rows }, (_, row) => row);
  await storeChannels(
    network.app.core.db,
    numbers.map((row) => ({ id: id(row), parentUrl: `https://walk.example/${row}` })),
  );
  await checkPaging({
    rows,
    key: id,
    insert: (chosen) =>
      network.sql(
        `insert into channel_activity select '2026-01-01', 'walk' || lpad(n::text, 2, '0'), 1 + n / 2, 1, 1
           from unnest($1::integer[]) n`,
        [chosen],
      ),
    remove: (chosen) => network.sql('delete from channel_activity where channel_id = any($1)', [chosen.map(id)]),
    order: [...numbers].sort((a, b) => (b >> 1) - (a >> 1) || a - b),
    page: pageOverHttp(network.get, '/v2/social/channel/trending/', (body) =>
      body.channels.map(({ channel }: { channel: { id: string } }) => channel.id),
    ),
    runs: 5,
  });
});
