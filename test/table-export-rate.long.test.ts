import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportTables } from '../src/ingest/file/table-export.js';
import type { PublicView } from '../src/store/public-view.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { heldMs, MOST_HELD_MS } from './support/held-loop.js';

/** A run by hand may set more, to measure. */
const ROWS = Number(process.env.CASTELLAN_TEST_EXPORT_ROWS ?? 100_000);
/** All on one day: the most that one file and one row group have. */
const FIRST = "extract(epoch from '2025-06-01T00:00:00Z'::timestamptz)::integer - 1609459200";
const MB = 1024 * 1024;

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-export-rate-'));
  database = await openTestDatabase();
  const { db } = database;
  // In steps: the embedded database has its memory in this process.
  for (let first = 1; first <= ROWS; first += 10_000) {
    const range = `generate_series(${first}, ${Math.min(first + 9_999, ROWS)}) n`;
    await db.script(
      `insert into reaction (target_fid, fid, ts, type, target_hash, hash)
       select n % 997 + 1, n % 1009, ${FIRST} + n % 86000, 1 + n % 2, substr(sha256(n::text::bytea), 1, 20),
              substr(sha256((-n)::text::bytea), 1, 20) from ${range}`,
    );
    await db.script(
      `insert into "cast" (fid, root_fid, ts, hash, root_hash, text, mentions, mention_positions, embeds, signer)
       select n % 997 + 1, n % 997 + 1, ${FIRST} + n % 86000, substr(sha256(n::text::bytea), 1, 20),
              substr(sha256(n::text::bytea), 1, 20), left(repeat(md5(n::text), 6), 40 + n % 150), array[n % 97, n],
              array[0, 1], '[{"url": "https://example.com/a"}]', '\\x00' from ${range}`,
    );
  }
  await db.script('analyze "cast"; analyze reaction');
}, 600_000);
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const sizeOf = async (path: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
};

/** Exports one table. @returns rows, rows a second, the longest turn of the loop, by how many bytes the process grew */
const measure = async (table: PublicView) => {
  let rows = 0;
  let rate = 0;
  let most = 0;
  const before = process.memoryUsage().rss;
  const held = await heldMs(async () => {
    const began = performance.now();
    const [report] = await exportTables(database.db, folder, {
      tables: [table],
      since: undefined,
      isRewrite: true,
      now: new Date(),
      createdBy: 'a test',
      progress: () => {
        most = Math.max(most, process.memoryUsage().rss - before);
      },
      signal: new AbortController().signal,
    });
    rows = report?.rows ?? 0;
    rate = Math.round((rows / (performance.now() - began)) * 1000);
  });
  return { rows, rate, held, most, bytes: await sizeOf(join(folder, table)) };
};

test.each(['reactions', 'casts'] as const)(
  '%s of a day with many are exported with little memory, and the loop goes on',
  async (table) => {
    const { rows, rate, held, most, bytes } = await measure(table);
    console.log(
      `${database.db.kind}: ${rows.toLocaleString('en-US')} ${table}, ${rate.toLocaleString('en-US')} a second, ` +
        `${(bytes / rows).toFixed(0)} bytes each, longest turn ${held.toFixed(0)} ms, ${(most / MB).toFixed(0)} MB more memory`,
    );
    expect(rows).toBe(ROWS);
    expect(held).toBeLessThan(MOST_HELD_MS);
    expect(most).toBeLessThan(400 * MB);
  },
  300_000,
);
