import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlanNode, planNodes } from '../../../test/support/plan.js';
import type { Database } from '../database.js';
import { migrate } from '../migrate.js';
import { openEmbedded } from './embedded.js';
import { createEmbeddedMaintenance } from './maintenance.js';

let db: Database;
beforeAll(async () => {
  db = await openEmbedded({});
  await migrate(db);
});
afterAll(() => db.close());

const statistics = (): Promise<{ name: string; rows: number }[]> =>
  db.run(`select relname as name, reltuples as rows from pg_class where relname in ('mute', 'ban') order by relname`);

test('a plan made while a table was empty goes when the table has grown, and what did not grow is left alone', async () => {
  const app = "'00000000-0000-4000-8000-000000000001'";
  await db.script('vacuum (analyze)');
  // The plan is kept permanently after five runs, like those of reads.
  await db.script(
    `set plan_cache_mode = force_generic_plan;
     prepare muted(bigint) as select from mute where fid = $1 and app_id = ${app} and muted_fid = 7 offset 0`,
  );
  const scans = async () => {
    const [row] = await db.run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>('explain (format json) execute muted(5)');
    return planNodes((row as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan).map(
      (node) => node['Node Type'],
    );
  };
  expect(await scans()).toContain('Seq Scan');
  await db.run(`insert into mute (fid, app_id, muted_fid) select 5, ${app}, f from generate_series(1, 10000) f`);
  await db.run(`insert into ban (fid, app_id) select f, ${app} from generate_series(1, 20) f`);
  expect(await scans()).toContain('Seq Scan');
  await db.analyze();
  expect(await scans()).not.toContain('Seq Scan');
  expect(await statistics()).toEqual([
    { name: 'ban', rows: 0 },
    { name: 'mute', rows: 10_000 },
  ]);
});

test('dead rows are freed where there are many of them', async () => {
  const pages = async (name: string): Promise<number | undefined> =>
    (await db.run<{ pages: number }>(`select (pg_relation_size('${name}') / 8192)::int as pages`))[0]?.pages;
  const app = "'00000000-0000-4000-8000-000000000002'";
  await db.run(`insert into mute (fid, app_id, muted_fid) select 6, ${app}, f from generate_series(1, 5000) f`);
  await db.run(`insert into ban (fid, app_id) select f, ${app} from generate_series(1, 10) f`);
  await db.run(`delete from mute where app_id = ${app}`);
  await db.run(`delete from ban where app_id = ${app}`);
  const before = await pages('mute');
  await db.vacuum();
  expect(await pages('mute')).toBeLessThan(before as number);
  const [ban] = await db.run(
    "select n_dead_tup as dead, vacuum_count as runs from pg_stat_user_tables where relname = 'ban'",
  );
  expect(ban).toEqual({ dead: 10, runs: 1 });
});

test('a checkpoint that was found due before a backup began is left out', async () => {
  const sent: string[] = [];
  let answer: (rows: object[]) => void = () => undefined;
  const asked = new Promise<object[]>((resolve) => {
    answer = resolve;
  });
  const session = {
    run: () => asked,
    script: async (text: string) => void sent.push(text),
  } as unknown as Parameters<typeof createEmbeddedMaintenance>[0];
  const maintenance = createEmbeddedMaintenance(session);
  const check = maintenance.afterTransaction();
  const release = maintenance.keepLog();
  answer([{ bytes: 2 ** 40 }]);
  await check;
  expect(sent).toEqual([]);
  release();
  await createEmbeddedMaintenance(session).afterTransaction();
  expect(sent).toEqual(['checkpoint']);
});
