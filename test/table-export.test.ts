import { readdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TableReport } from '../src/ingest/file/table-export.js';
import { generateSampleNetwork } from '../src/sample/network.js';
import { runCommandIn } from './support/command.js';
import { heldMs, MOST_HELD_MS } from './support/held-loop.js';
import { type Network, startNetwork } from './support/network.js';
import { ALL_VIEWS, parquetFiles, readParquet, readTable, readView } from './support/parquet.js';
import { temporaryFolder } from './support/temporary-folder.js';

const DAY_MS = 86_400_000;
const TEXT = `${'\u{1f3f0}e\u0301\u202e"\\\r\n\t\u0001\ufffd\uffff'.repeat(400)} 10 KB`;
const LARGEST = '9223372036854775807';
const DAY = '2024-02-29';

let network: Network;
let base: string;
let folder: string;
let count = 0;
beforeAll(async () => {
  base = await mkdtemp(join(temporaryFolder(tmpdir()), 'castellan-table-export-'));
  network = await startNetwork();
  const sample = generateSampleNetwork({ accounts: 6, casts: 30, reactions: 40, follows: 12 });
  for await (const items of sample.items()) await network.load(items);
  // What no message has said: an account number of 64 bits, times to the microsecond, all that a text can be.
  await network.sql(
    `insert into "cast" (fid, root_fid, ts, hash, root_hash, text, parent_url, mentions, mention_positions, embeds, signer)
     select $1::bigint, 7, extract(epoch from $2::timestamptz)::integer - 1609459200 + n % 2, sha256(n::text::bytea),
            '\\x01', case when n > 20 then '' else $3 end, '', array[$1::bigint, 1], array[0, 2147483647],
            '[{"n": 12345678901234567890.10, "t": "\\u00e9\\u2028\\ud83c\\udff0"}]', '\\x02'
       from generate_series(1, 1100) n`,
    [LARGEST, `${DAY}T23:59:58Z`, TEXT],
  );
  // A compact state: one hash for all its links.
  await network.sql(
    `insert into link (target_fid, type, ts, hash, fid)
     select n, 1, extract(epoch from $1::timestamptz)::integer - 1609459200, '\\x03', 9 from generate_series(1, 1050) n`,
    [`${DAY}T00:00:00Z`],
  );
  await network.sql(
    `insert into channel (id, parent_url, url, name, description, source, created_at, updated_at)
     values ('garden', 'https://example.com/garden', '', 'Garden', $1, 'local', '2024-01-02T03:04:05.678901Z', now())`,
    ['a "garden"\n\u{1f331}'],
  );
  await network.sql('insert into reaction values (0, 5, 1, 2, $1, $2), (8, 5, 1, 1, $1, $3)', [
    Buffer.alloc(20),
    Buffer.alloc(20, 1),
    Buffer.alloc(20, 2),
  ]);
  await network.sql(
    "update account set registered_at = '2024-01-02T03:04:05.678901Z', score = 0.1, bio = $1 where fid = 1",
    [TEXT],
  );
});
afterAll(async () => {
  await network.stop();
  await rm(base, { recursive: true });
});
beforeEach(() => {
  count += 1;
  folder = join(base, String(count));
});

interface Report {
  readonly folder: string;
  readonly until: string;
  readonly tables: readonly TableReport[];
}

const run = async (...args: string[]): Promise<Report> => {
  const { code, out } = await runCommandIn(network, 'export', [folder, '--format', 'parquet', '--json', ...args]);
  expect(code).toBe(0);
  return JSON.parse(out);
};
const endOf = ({ until }: Report): Date => new Date(Date.parse(until) + DAY_MS);
const reportOf = (report: Report, table: string) => report.tables.find((one) => one.table === table);
const contents = async (): Promise<Record<string, string>> => {
  const files: Record<string, string> = {};
  for (const name of await parquetFiles(folder)) files[name] = (await readFile(join(folder, name))).toString('base64');
  return files;
};
const metadataOf = async (name: string) => {
  const { buffer, byteOffset, length } = await readFile(join(folder, name));
  return parquetMetadata(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer);
};

test('the files have every row of the views, and every column as the view has it', async () => {
  const report = await run();
  expect(report.tables.map(({ table }) => table).sort()).toEqual([...ALL_VIEWS].sort());
  for (const table of ALL_VIEWS) {
    const expected = await readView(network.app.core.db, table, endOf(report));
    expect(await readTable(folder, table), table).toEqual(expected);
    expect(reportOf(report, table), table).toMatchObject({ rows: expected.length, kept: 0, removed: 0 });
  }
  expect(reportOf(report, 'casts')?.rows).toBeGreaterThan(1_100);
  expect(reportOf(report, 'verifications')?.rows).toBeGreaterThan(1);
  expect((await readdir(join(folder, 'casts'))).every((name) => /^day=\d{4}-\d\d-\d\d$/.test(name))).toBe(true);
});

test('a file has the messages of its day in UTC alone, in their order', async () => {
  await run('--table', 'casts,links');
  const start = Date.parse(DAY);
  for (const [table, size] of [
    ['casts', 1_100],
    ['links', 1_050],
  ] as const) {
    const rows = await readParquet(join(folder, table, `day=${DAY}`, 'part-0001.parquet'));
    expect(rows.length).toBe(size);
    const times = rows.map(({ timestamp }) => Number(timestamp) / 1000);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(start);
    expect(times.at(-1)).toBeLessThan(start + DAY_MS);
  }
});

test('columns have the types that readers take for times, lists and numbers of 64 bits', async () => {
  await run('--table', 'casts');
  const { schema, created_by } = await metadataOf(`casts/day=${DAY}/part-0001.parquet`);
  const typeOf = (name: string) => schema.find((element) => element.name === name);
  expect(typeOf('timestamp')).toMatchObject({
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  });
  expect(typeOf('fid')).toMatchObject({ type: 'INT64' });
  expect(typeOf('like_count')).toMatchObject({ type: 'INT32' });
  expect(typeOf('mentions')).toMatchObject({ logical_type: { type: 'LIST' } });
  expect(typeOf('embeds')).toMatchObject({ type: 'BYTE_ARRAY', logical_type: { type: 'STRING' } });
  expect(created_by).toMatch(/^castellan version \d/);
});

/** @returns a signal that is aborted when it was asked some times */
const abortedAfter = (times: number): AbortSignal => {
  let asked = 0;
  const throwIfAborted = (): void => {
    asked += 1;
    if (asked > times) throw new Error('ended');
  };
  return Object.assign(new AbortController().signal, { throwIfAborted });
};

test('an export that was ended goes on with what is missing, and is as one that was not', async () => {
  await run();
  const whole = await contents();
  for (const times of [2, 40]) {
    folder = join(base, `ended-${times}`);
    const ended = runCommandIn(network, 'export', [folder, '--format', 'parquet'], abortedAfter(times));
    await expect(ended).rejects.toThrow('ended');
    expect(Object.keys(await contents()).length).toBeLessThan(Object.keys(whole).length);
    // A process that was killed leaves what it was writing.
    await mkdir(join(folder, 'casts'), { recursive: true });
    await writeFile(join(folder, 'casts', '_partial-00000000'), 'PAR1');
    await run();
    expect(await contents()).toEqual(whole);
    expect((await readdir(folder, { recursive: true })).filter((name) => name.includes('_partial'))).toEqual([]);
  }
});

test('an export whose file is deleted by another one fails, and leaves no half of it', async () => {
  const deletePartial = (): void => {
    const path = join(folder, 'casts');
    for (const name of readdirSync(path)) if (name.startsWith('_partial')) rmSync(join(path, name));
  };
  const signal = Object.assign(new AbortController().signal, { throwIfAborted: deletePartial });
  const args = [folder, '--format', 'parquet', '--table', 'casts'];
  await expect(runCommandIn(network, 'export', args, signal)).rejects.toThrow('could not be written: ENOENT');
  expect(await parquetFiles(folder)).toEqual([]);
});

test('days that are there stay, unless they are to be written again', async () => {
  const hash = Buffer.alloc(20, 7);
  const insert = (day: string) =>
    network.sql(
      'insert into reaction values (4, 5, extract(epoch from $1::timestamptz)::integer - 1609459200, 1, $2, $2)',
      [day, hash],
    );
  const removeAll = () => network.sql('delete from reaction where hash = $1', [hash]);
  await insert('2023-05-01T10:00:00Z');
  const first = await run('--table', 'reactions');
  const { files } = reportOf(first, 'reactions') as TableReport;
  await removeAll();
  await insert('2023-05-02T10:00:00Z');
  const second = await run('--table', 'reactions');
  expect(reportOf(second, 'reactions')).toMatchObject({ files: 1, rows: 1, kept: files - 1, removed: 0 });
  const days = async () => (await readdir(join(folder, 'reactions'))).filter((name) => name.startsWith('day=2023-05'));
  expect(await days()).toEqual(['day=2023-05-01', 'day=2023-05-02']);

  const later = await run('--table', 'reactions', '--since', '2023-05-02', '--rewrite');
  expect(reportOf(later, 'reactions')).toMatchObject({ kept: 0, removed: 0 });
  expect(await days()).toEqual(['day=2023-05-01', 'day=2023-05-02']);
  const again = await run('--table', 'reactions', '--rewrite');
  expect(reportOf(again, 'reactions')).toMatchObject({ files, kept: 0, removed: 1 });
  expect(await days()).toEqual(['day=2023-05-02']);
  await removeAll();
  await run('--table', 'reactions', '--rewrite');
  expect(await days()).toEqual([]);
  expect(await readTable(folder, 'reactions')).toEqual(await readView(network.app.core.db, 'reactions', endOf(again)));
});

test('a day that is not over is left for later', async () => {
  const hash = Buffer.alloc(20, 9);
  await network.sql('insert into reaction values (4, 5, extract(epoch from now())::integer - 1609459200, 1, $1, $1)', [
    hash,
  ]);
  const report = await run('--table', 'reactions');
  const days = (await readdir(join(folder, 'reactions'))).map((name) => name.slice('day='.length)).sort();
  expect(report.until < new Date().toISOString().slice(0, 10)).toBe(true);
  expect((days.at(-1) as string) <= report.until).toBe(true);
  await network.sql('delete from reaction where hash = $1', [hash]);
});

test('a folder that cannot be written is named', async () => {
  await writeFile(folder, 'a file');
  await expect(run()).rejects.toThrow(`The files in ${folder} could not be written: `);
});

test.each([
  [['--format', 'parquet', '--since', '2026-02-30'], '--since takes a day'],
  [['--format', 'parquet', '--since', 'yesterday'], '--since takes a day'],
  [['--format', 'parquet', '--table', 'api_key'], '--table takes'],
  [['--format', 'parquet', '--fid', '1'], '--fid is not for parquet'],
  [['--rewrite'], 'are for --format parquet'],
])('%s are refused', async (args, message) => {
  await expect(runCommandIn(network, 'export', [folder, ...args])).rejects.toThrow(message);
});

test('an export does not hold the loop', async () => {
  expect(
    await heldMs((attempt) => run('--rewrite', '--since', attempt === 0 ? '2021-01-01' : '2021-01-02')),
  ).toBeLessThan(MOST_HELD_MS);
});
