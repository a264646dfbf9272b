import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateSampleNetwork } from '../../src/sample/network.js';
import { PUBLIC_VIEWS, type PublicView } from '../../src/store/public-view.js';
import { runCommandIn } from '../support/command.js';
import { type Network, startNetwork } from '../support/network.js';
import { ALL_VIEWS, readView, type TextRow } from '../support/parquet.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { runDuckdb, withoutDuckdb } from './duckdb.js';

const DOCUMENT = new URL('../../docs/analytics.md', import.meta.url);

/** Functions of DuckDB that write a value as PostgreSQL does, by its type. */
const AS_TEXT: Readonly<Record<string, (column: string) => string>> = {
  'TIMESTAMP WITH TIME ZONE': (column) => `epoch_us(${column})::varchar`,
  'BIGINT[]': (column) => `'{' || array_to_string(${column}, ',') || '}'`,
  'INTEGER[]': (column) => `'{' || array_to_string(${column}, ',') || '}'`,
};
const FRACTIONS = new Set(['FLOAT', 'DOUBLE']);

const filesOf = (table: PublicView): string =>
  `read_parquet('${table}/${PUBLIC_VIEWS[table].isByDay ? '*/' : ''}*.parquet', hive_partitioning = false)`;

describe.skipIf(withoutDuckdb)('DuckDB (skipped without npm ci --prefix test/analytics/programs)', () => {
  let network: Network;
  let folder: string;
  let end: Date;
  beforeAll(async () => {
    folder = await mkdtemp(join(temporaryFolder(tmpdir()), 'castellan-duckdb-'));
    network = await startNetwork();
    const sample = generateSampleNetwork({ accounts: 8, casts: 60, reactions: 60, follows: 20 });
    for await (const items of sample.items()) await network.load(items);
    await network.sql(
      `insert into "cast" (fid, root_fid, ts, hash, root_hash, text, mentions, mention_positions, embeds, signer)
       values (9223372036854775807, 7, 99900000, '\\x0a', '\\x0b', $1, array[9223372036854775807, 1], array[0, 1],
               '[{"n": 12345678901234567890.10}]', '\\x02')`,
      ['\u{1f3f0}e\u0301\u202e"\\\r\n\t\u0001\ufffd\uffff'.repeat(400)],
    );
    await network.sql(
      `insert into channel (id, parent_url, url, name, description, source, created_at, updated_at)
       values ('garden', 'https://example.com/garden', '', 'Garden', $1, 'local', '2024-01-02T03:04:05.678901Z', now())`,
      ['a "garden"\n\u{1f331}'],
    );
    const { out } = await runCommandIn(network, 'export', [folder, '--format', 'parquet', '--json']);
    end = new Date(Date.parse(JSON.parse(out).until) + 86_400_000);
  });
  afterAll(async () => {
    await network.stop();
    await rm(folder, { recursive: true });
  });

  test.each(ALL_VIEWS)('reads every column of every row of %s', async (table) => {
    const [described] = await runDuckdb(folder, [`describe select * from ${filesOf(table)}`]);
    const columns = (described ?? []).map((row) => ({ name: String(row.column_name), type: String(row.column_type) }));
    const list = columns.map(
      ({ name, type }) => `${AS_TEXT[type]?.(`"${name}"`) ?? `"${name}"::varchar`} as "${name}"`,
    );
    const [read] = await runDuckdb(folder, [`select ${list.join(', ')} from ${filesOf(table)}`]);
    const fractions = columns.filter(({ type }) => FRACTIONS.has(type)).map(({ name }) => name);
    const normal = (rows: readonly TextRow[]): string[] =>
      rows
        .map((row) => {
          const numbers = fractions.map((name) => [name, row[name] === null ? null : Number(row[name])]);
          return JSON.stringify({ ...row, ...Object.fromEntries(numbers) });
        })
        .sort();
    const expected = await readView(network.app.core.db, table, end);
    expect(expected.length).toBeGreaterThan(0);
    expect(normal((read ?? []) as TextRow[])).toEqual(normal(expected));
  });

  test('finds the days by the names of the folders, and answers the questions of the document', async () => {
    const [days] = await runDuckdb(folder, [
      `select count(*)::integer as n, count(*) filter (day <> timestamp::date)::integer as other
         from read_parquet('casts/*/*.parquet', hive_partitioning = true)`,
    ]);
    expect(days).toEqual([{ n: (await readView(network.app.core.db, 'casts', end)).length, other: 0 }]);
    const text = await readFile(DOCUMENT, 'utf8');
    const questions = [...text.matchAll(/```sql duckdb\n([\s\S]*?)```/g)].map(([, one]) =>
      (one as string).replaceAll("'lake/", "'"),
    );
    expect(questions.length).toBeGreaterThan(1);
    for (const rows of await runDuckdb(folder, questions)) expect(rows.length).toBeGreaterThan(0);
  });
});
