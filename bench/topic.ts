import { importBuilt } from './build-import.js';
import { openTarget, withDatabase } from './target.js';

/**
 * Measures the job that counts trending topics, in a database of its own with casts of eight days:
 * `npm run build && BENCH_DATABASE_URL=postgres://... npx tsx bench/topic.ts [casts] [accounts]`
 */
const casts = Number(process.argv[2] ?? 500_000);
const accounts = Number(process.argv[3] ?? 50_000);
const RUNS = 3;
const SPAN_SECONDS = 8 * 86_400;

const { migrate } = await importBuilt<typeof import('../src/db/migrate.js')>('db/migrate.js');
const { countTopics } = await importBuilt<typeof import('../src/topic/run.js')>('topic/run.js');
const { fromUnixMs } = await importBuilt<typeof import('../src/protocol/time.js')>('protocol/time.js');

/**
 * Half of the casts have words alone, a quarter a hashtag of 20,000 or a cashtag of 2,000 (the lower the more frequent),
 * and a quarter two or three capitalised words; on the last day, one of a hundred is about one of twenty events. They are stored in
 * the order of their time, as in a service.
 */
const FILL = `
  with word as (select array_agg('word' || n) as words from generate_series(0, 999) n)
  insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer)
  select f.fid, h.hash, $2::integer - age, text, f.fid, h.hash, ''
    from generate_series(1, $1::integer) n
   cross join word
   cross join lateral (select (n::bigint * 48271 % $3::integer) + 1 as fid, (n::bigint * 16807 % 2147483647) as r) f
   cross join lateral (select decode(lpad(to_hex(n), 40, '0'), 'hex') as hash) h
   cross join lateral (select (n::bigint * 7919 % ${SPAN_SECONDS})::integer as age) a
   cross join lateral (
     select array_to_string(array(select words[1 + (r / (k + 1) + k * n) % 1000] from generate_series(1, 14) k), ' ') ||
       case
         when age < 86400 and n % 100 = 0 then ' at Festival ' || chr(65 + n / 100 % 20) || 'town'
         when n % 4 = 1 then ' #tag' || (power(r % 1000 / 1000.0, 3) * 20000)::integer
         when n % 40 = 2 then ' $COIN' || (power(r % 1000 / 1000.0, 3) * 2000)::integer || 'X'
         when n % 4 = 3 then ' with Name' || r % 300 || ' Second' || r % 70 || ' and Place' || r % 90 || ' Of' || r % 50 || ' There'
         else '' end as text) t
   order by age desc`;

const target = await openTarget(process.env.BENCH_DATABASE_URL, { accounts, casts, reactions: 0, links: 8 });
await target.create();
try {
  await withDatabase(target.environment, async (db) => {
    await migrate(db);
    const now = Date.now();
    await db.run('insert into account (fid, first_ts, score) select n, 1, 0.5 from generate_series(1, $1::integer) n', [
      accounts,
    ]);
    await db.run(FILL, [casts, fromUnixMs(now), accounts]);
    await db.script('analyze');
    const options = { db, model: undefined, changed: () => undefined, warn: () => undefined };
    for (let run = 1; run <= RUNS; run++) {
      const cpu = process.cpuUsage();
      let longest = 0;
      let last = performance.now();
      const began = last;
      const watch = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 1);
      await countTopics({ ...options, now: now + run, signal: new AbortController().signal });
      const seconds = (performance.now() - began) / 1000;
      clearInterval(watch);
      const { user, system } = process.cpuUsage(cpu);
      const [row] = await db.run<{ topics: number }>(
        'select count(*)::integer as topics from topic where counted_at = $1',
        [new Date(now + run)],
      );
      console.log(
        `${casts} casts: ${seconds.toFixed(2)} s, of these ${((user + system) / 1e6).toFixed(2)} s of processor here, ` +
          `${row?.topics} topics, resident ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB, ` +
          `longest pause of the event loop ${Math.round(longest)} ms`,
      );
    }
  });
} finally {
  await target.drop();
}
