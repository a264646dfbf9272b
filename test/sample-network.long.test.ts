import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import type { Ingest } from '../src/ingest/pipeline/pipeline.js';
import { generateSampleNetwork } from '../src/sample/network.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { openTestIngest } from './support/ingest.js';
import { seedBasics } from './support/seed.js';

const SAMPLE = { source: 'sample', announce: false } as const;

let fixture: TestDatabase;
let ingest: Ingest;

beforeAll(async () => {
  fixture = await openTestDatabase();
  ingest = openTestIngest(fixture.db);
});
afterAll(() => fixture.drop());

const number = async (sql: string): Promise<number> => Number((await fixture.db.run<{ n: number }>(sql))[0]?.n);

test('the sample network is stored completely: no rejections, the promised number of rows, exact counters', {
  timeout: 240_000,
}, async () => {
  const network = generateSampleNetwork();
  const invalid: Record<string, number> = {};
  let merged = 0;
  for await (const batch of network.items(1000)) {
    const report = await ingest.submit(batch, SAMPLE);
    merged += report.merged;
    for (const [reason, count] of Object.entries(report.invalid)) invalid[reason] = (invalid[reason] ?? 0) + count;
    expect(report.superseded + report.known + report.kept + report.ignored).toBe(0);
  }
  expect(invalid).toEqual({});
  expect(merged).toBe(network.total);
  expect(await number('select count(*) as n from account where registered_at is not null')).toBe(300);
  expect(await number('select count(*) as n from "cast"')).toBe(5000);
  expect(await number('select count(*) as n from reaction')).toBe(15_000);
  expect(await number('select count(*) as n from link where type = 1')).toBe(8000);
  expect(await audit(fixture.db)).toEqual([]);
});

test('the seed of the flow tests is accepted completely, and so is one more message', async () => {
  const own = await openTestDatabase();
  try {
    const pipeline = openTestIngest(own.db);
    const { alice, bob, casts, send } = await seedBasics(async (items: IngestItem[]) => {
      expect((await pipeline.submit(items, SAMPLE)).invalid).toEqual({});
    });
    await send(bob.react('recast', casts.hello), alice.cast({ text: ['thanks ', bob.fid], parent: casts.reply }));
    expect(await audit(own.db)).toEqual([]);
  } finally {
    await own.drop();
  }
});
