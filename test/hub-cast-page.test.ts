import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hubFetchUsersCasts } from '../src/api/hub/hub-fetch-users-casts.js';
import type { OperationRequest } from '../src/api/operation.js';
import type { Services } from '../src/api/service.js';
import type { IngestItem } from '../src/ingest/item.js';
import type { Ingest } from '../src/ingest/pipeline.js';
import type { Signed } from '../src/sample/signed.js';
import { FragmentCache } from '../src/view/fragment.js';
import type { Rendered } from '../src/view/rendered.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { openTestHydrate, watchDatabase } from './support/hydrate.js';
import { openTestIngest } from './support/ingest.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const MEGABYTES = 8 * 1024 * 1024;

let fixture: TestDatabase;
let seeded: Seeded;
let ingest: Ingest;
let reading: ReturnType<typeof openTestHydrate>;
/** Reads through caches; `sent` names what was asked of the database for it. */
let kept: Services;
let sent: () => string[];
/** Reads what is stored. */
let bare: Services;

const servicesOver = (db: Services['db'], lists: Services['lists'], bytes: number): Services =>
  ({ db, lists, clock: Date.now, hub: { messages: new FragmentCache(bytes) } }) as unknown as Services;

beforeAll(async () => {
  fixture = await openTestDatabase();
  const watched = watchDatabase(fixture.db);
  reading = openTestHydrate(watched.db, MEGABYTES);
  kept = servicesOver(watched.db, reading.lists, MEGABYTES);
  bare = servicesOver(fixture.db, openTestHydrate(fixture.db, 0).lists, 0);
  sent = () => watched.sent().filter((name) => name !== 'change_since');
  ingest = openTestIngest(fixture.db, { onCommit: reading.freshness.touched });
  seeded = await seedBasics((items) => ingest.submit(items, { source: 'sample', announce: false }));
  await reading.freshness.start();
});
afterAll(async () => {
  await reading.freshness.stop();
  await fixture.drop();
});

const submit = (...items: (Signed | IngestItem)[]) =>
  ingest.submit(
    items.map((one) => ('item' in one ? one.item : one)),
    { source: 'local', announce: false },
  );

const read = async (services: Services, query: object) =>
  JSON.parse(((await hubFetchUsersCasts.handle({ query } as OperationRequest, services)) as Rendered).body.toString());

/** Every page of the account's casts, in both directions. */
const compare = async (fid: number): Promise<void> => {
  for (const reverse of [false, true]) {
    let pageToken: string | undefined;
    do {
      const query = { fid, pageSize: 2, reverse, ...(pageToken === undefined ? {} : { pageToken }) };
      const stored = await read(bare, query);
      expect(await read(kept, query)).toEqual(stored);
      pageToken = stored.nextPageToken || undefined;
    } while (pageToken !== undefined);
  }
};

test('a page that was read before needs no query', async () => {
  const query = { fid: FIDS.dan, pageSize: 25, reverse: true };
  // On a busy machine trust may run out for a moment, and then nothing is kept.
  await vi.waitFor(async () => {
    await read(kept, query);
    sent();
    expect((await read(kept, query)).messages).toHaveLength(2);
    expect(sent()).toEqual([]);
  }, 30_000);
});

test('what comes, goes, comes and goes at once, or loses its key is seen by the next request', async () => {
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
    [dan.removeSigner()],
  ];
  for (const change of changes) {
    await compare(FIDS.dan);
    await submit(...change);
  }
  await compare(FIDS.dan);
  expect((await read(kept, { fid: FIDS.dan })).messages).toEqual([]);
});
