import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Operation, OperationRequest, ReadServices } from '../src/api/http/operation.js';
import { hubFetchUsersCasts } from '../src/api/hub/message/hub-fetch-users-casts.js';
import type { Freshness } from '../src/cache/freshness.js';
import type { Reads } from '../src/cache/read-cache.js';
import type { IngestItem } from '../src/ingest/item.js';
import type { Ingest } from '../src/ingest/pipeline/pipeline.js';
import type { Signed } from '../src/sample/signed-message.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { openTestIngest } from './support/ingest.js';
import { openTestReads, watchDatabase } from './support/read-cache.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const MEGABYTES = 8 * 1024 * 1024;

let fixture: TestDatabase;
let seeded: Seeded;
let ingest: Ingest;
let freshness: Freshness;
/** Reads through the cache; `sent` has the statements sent for it. */
let cached: Reads;
let sent: () => string[];
/** Reads from the database. */
let uncached: Reads;

beforeAll(async () => {
  fixture = await openTestDatabase();
  const watched = watchDatabase(fixture.db);
  ({ reads: cached, freshness } = openTestReads(watched.db, MEGABYTES));
  uncached = openTestReads(fixture.db, 0).reads;
  sent = () => watched.sent().filter((name) => name !== 'change_since');
  ingest = openTestIngest(fixture.db, { onCommit: freshness.invalidate });
  seeded = await seedBasics((items) => ingest.submit(items, { source: 'sample', announce: false }));
  await freshness.start();
});
afterAll(async () => {
  await freshness.stop();
  await fixture.drop();
});

const submit = (...items: (Signed | IngestItem)[]) =>
  ingest.submit(
    items.map((one) => ('item' in one ? one.item : one)),
    { source: 'local', announce: false },
  );

const { read: readPage } = hubFetchUsersCasts as Required<Operation>;

const read = async (reads: Reads, query: object) => {
  const answer = await reads.answer(JSON.stringify(query), (context) =>
    readPage({ query } as OperationRequest, context, {} as ReadServices),
  );
  return JSON.parse(answer.toString());
};

/** Every page of the account's casts, in both directions. */
const compare = async (fid: number): Promise<void> => {
  for (const reverse of [false, true]) {
    let pageToken: string | undefined;
    do {
      const query = { fid, pageSize: 2, reverse, ...(pageToken === undefined ? {} : { pageToken }) };
      const stored = await read(uncached, query);
      expect(await read(cached, query)).toEqual(stored);
      pageToken = stored.nextPageToken || undefined;
    } while (pageToken !== undefined);
  }
};

test('a cached page needs no query', async () => {
  const query = { fid: FIDS.dan, pageSize: 25, reverse: true };
  // On a busy machine polls may be late, and then nothing is cached for a moment.
  await vi.waitFor(async () => {
    await read(cached, query);
    sent();
    expect((await read(cached, query)).messages).toHaveLength(2);
    expect(sent()).toEqual([]);
  }, 30_000);
});

test('additions, removals, both at once, and what a hub revokes are visible in the next request', async () => {
  const { dan } = seeded;
  const [first, second, brief] = ['first', 'second', 'brief'].map((text) => dan.cast({ text })) as [
    Signed,
    Signed,
    Signed,
  ];
  const changes: (Signed | IngestItem)[][] = [
    [first],
    [second, seeded.bob.cast({ text: 'by another' })],
    [dan.removeCast(first.hash)],
    [brief, dan.removeCast(brief.hash)],
    [first],
    [{ kind: 'removal', reason: 'revoke', wire: second.wire }],
    [dan.removeSigner()],
  ];
  for (const change of changes) {
    await compare(FIDS.dan);
    await submit(...change);
  }
  await compare(FIDS.dan);
  const shown = (await read(cached, { fid: FIDS.dan })).messages.map(({ hash }: { hash: string }) => hash);
  expect(shown).toHaveLength(2);
  expect(shown).not.toContain(`0x${Buffer.from(second.hash).toString('hex')}`);
});
