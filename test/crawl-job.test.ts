import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { crawlEmbeds, deleteUnusedMetadata } from '../src/crawl/crawl-job.js';
import { createCrawler } from '../src/crawl/crawler.js';
import { createPageFetch } from '../src/crawl/page-fetch.js';
import { createOutbound } from '../src/delivery/outbound.js';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Signed } from '../src/sample/signed-message.js';
import { documentReader } from './support/document-reader.js';
import { type Network, startNetwork } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { type Seeded, seedBasics } from './support/seed.js';

const TYPES: Readonly<Record<string, string>> = {
  page: 'text/html; charset=utf-8',
  picture: 'Image/PNG',
  film: 'application/vnd.apple.mpegurl',
  words: 'text/plain',
};
const NEVER = new AbortController().signal;
/** The low bytes of these characters are control characters and punctuation of JSON. */
const FOREIGN = 'Don’t — 🌊 é Ģ,"x"ĺ1Ž';
const titleOf = (path: string): string => (path.includes('foreign') ? FOREIGN : 'Found');

let network: Network;
let seeded: Seeded;
let pages: Receiver;

beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.load(items));
  // Nothing of the internet is asked.
  await network.sql(`update "cast" set embeds = '[]'`);
  pages = await startReceiver(({ path }, response) => {
    const type = TYPES[path.slice(1).split('-')[0] as string];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(`<title>${titleOf(path)}</title>`);
  });
});
afterAll(async () => {
  await network.stop();
  await pages.stop();
});
beforeEach(async () => {
  await network.sql('delete from url_metadata');
  await network.sql('delete from cast_url');
});

const createJob = () => {
  const { db } = network.app.core;
  const fetchPage = createPageFetch({ outbound: createOutbound({ allowLoopback: true }), clock: Date.now });
  const report = (what: string, error: unknown): void => {
    throw new Error(what, { cause: error });
  };
  const crawler = createCrawler({
    db,
    clock: Date.now,
    fetchPage,
    reader: documentReader,
    changed: network.app.invalidate,
    report,
  });
  return crawlEmbeds({ db, crawler, clock: Date.now, report });
};
/** Runs the job until nothing waits: it fetches one address of each host at a time. */
const drain = async (job: ReturnType<typeof createJob>): Promise<void> => {
  do await job(NEVER);
  while ((await network.sql('select from url_metadata where fetched_at is null')).length > 0);
};
const url = (name: string): string => `${pages.url}/${name}`;
const hashOf = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;
let ahead = 0;
const cast = (...embeds: string[]): Signed =>
  seeded.alice.cast({ text: `With ${embeds.length}`, embeds, at: fromUnixMs(Date.now()) + ++ahead });
const submit = (...messages: Signed[]) =>
  network.app.core.ingest.submit(
    messages.map(({ item }) => item),
    { source: 'local', announce: true },
  );
const found = async (types: string): Promise<string[]> => {
  const { body } = await network.get(
    `/v2/social/feed/?feed_type=filter&filter_type=embed_types&embed_types=${types}&limit=100`,
  );
  return body.casts.map(({ hash }: { hash: string }) => hash);
};

test('casts that arrive are found by the type of what they embed', async () => {
  const job = createJob();
  await job(NEVER);
  const [page, picture, film, words, both] = [
    cast(url('page-1')),
    cast(url('picture-1')),
    cast(url('film-1')),
    cast(url('words-1')),
    cast(url('picture-1'), url('page-1')),
  ];
  await submit(page, picture, film, words, both);
  await drain(job);
  const [p, i, f, w, b] = [page, picture, film, words, both].map(hashOf);
  const sorted = (hashes: readonly unknown[]) => [...hashes].sort();
  expect(sorted(await found('text/html'))).toEqual(sorted([p, b]));
  expect(sorted(await found('text'))).toEqual(sorted([p, w, b]));
  expect(sorted(await found('text/plain'))).toEqual([w]);
  expect(sorted(await found('image/png'))).toEqual(sorted([i, b]));
  expect(sorted(await found('image'))).toEqual(expect.arrayContaining(sorted([i, b])));
  expect(sorted(await found('video'))).toEqual(expect.arrayContaining([f]));
  expect(sorted(await found('text/html,image'))).toEqual(expect.arrayContaining(sorted([p, i, b])));

  // A later cast with a known address needs no further request.
  const asked = pages.received.length;
  const again = cast(url('page-1'));
  await submit(again);
  await job(NEVER);
  expect(await found('text/html')).toContain(hashOf(again));
  expect(pages.received.length).toBe(asked);

  await submit(seeded.alice.removeCast(page.hash));
  expect(await found('text/html')).not.toContain(p);
  await job(NEVER);
  expect(await network.sql('select from cast_url where hash = $1', [Buffer.from(page.hash)])).toEqual([]);
});

test('casts that were stored before are read at the start, and the newest are fetched first', async () => {
  const now = fromUnixMs(Date.now()) + 200;
  const ages = { 'page-old': 100, 'page-new': 0, 'page-ancient': 8 * 86_400 };
  const casts = Object.entries(ages).map(([name, age]) =>
    seeded.alice.cast({ text: 'Earlier', embeds: [url(name)], at: now - age }),
  );
  await network.load(casts.map(({ item }) => item));
  const before = pages.received.length;
  const job = createJob();
  await drain(job);
  const paths = pages.received.slice(before).map(({ path }) => path);
  expect(paths.slice(0, 2)).toEqual(['/page-new', '/page-old']);
  expect(paths).not.toContain('/page-ancient');
  // What is too old to be fetched is found as soon as a caller asks for it.
  expect(await found('text/html')).not.toContain(hashOf(casts[2] as Signed));
  await network.get(`/v2/social/cast/embed/crawl/?url=${encodeURIComponent(url('page-ancient'))}`);
  expect(await found('text/html')).toContain(hashOf(casts[2] as Signed));
});

test('casts of history that is loaded later are read when it is loaded', async () => {
  const job = createJob();
  await job(NEVER);
  const loaded = cast(url('page-loaded'));
  await network.load([loaded.item]);
  // The first round only sees that history is being loaded.
  await job(NEVER);
  await drain(job);
  expect(await found('text/html')).toContain(hashOf(loaded));
  expect(await job(NEVER)).toBe(false);
});

test('a list by type is paged without gaps or repetitions', async () => {
  const job = createJob();
  await job(NEVER);
  const casts = Array.from({ length: 9 }, (_, index) => cast(url(index % 2 ? 'page-1' : 'picture-1')));
  await submit(...casts);
  await drain(job);
  const all = await found('text/html,image/png');
  expect(all).toHaveLength(new Set(all).size);
  expect(all).toEqual(expect.arrayContaining(casts.map(hashOf)));
  const paged: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path = '/v2/social/feed/?feed_type=filter&filter_type=embed_types&embed_types=text/html,image/png&limit=2';
    const { body } = await network.get(`${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    paged.push(...body.casts.map(({ hash }: { hash: string }) => hash));
    cursor = body.next.cursor;
  }
  expect(paged).toEqual(all);
});

test('titles in any script are shown as they are, and cannot break the JSON around them', async () => {
  const job = createJob();
  await job(NEVER);
  const shown = cast(url('page-foreign'));
  await submit(shown);
  await drain(job);
  const path = `/v2/social/cast/?type=hash&identifier=${hashOf(shown)}`;
  for (let turn = 0; turn < 2; turn++) {
    const { embeds } = (await network.get(path)).body.cast;
    expect(embeds[0].metadata.html.ogTitle).toBe(FOREIGN);
  }
  const feed = await network.get('/v2/social/feed/?feed_type=filter&filter_type=embed_types&embed_types=text/html');
  expect(feed.body.casts[0].embeds[0].metadata).toMatchObject({ _status: 'RESOLVED' });
});

test('metadata of an embedded URL is kept even if a caller had requested that URL before', async () => {
  const job = createJob();
  await job(NEVER);
  const asked = url('page-composed');
  await network.get(`/v2/social/cast/embed/crawl/?url=${encodeURIComponent(asked)}`);
  await submit(cast(asked));
  await drain(job);
  await deleteUnusedMetadata(network.app.core.db, Date.now() + 9 * 86_400_000);
  expect(await network.sql('select url from url_metadata')).toContainEqual({ url: asked });
});

test('results that only callers asked for are deleted a week after they expired', async () => {
  const { db } = network.app.core;
  await network.get(`/v2/social/cast/embed/crawl/?url=${encodeURIComponent(url('page-asked'))}`);
  await deleteUnusedMetadata(db, Date.now());
  expect(await network.sql('select url from url_metadata')).toEqual([{ url: url('page-asked') }]);
  await deleteUnusedMetadata(db, Date.now() + 9 * 86_400_000);
  expect(await network.sql('select url from url_metadata')).toEqual([]);
});

test('an address whose result never gets stored, such as one that ends the process, is fetched three times', async () => {
  const fatal = 'https://fatal.example/';
  await submit(cast(fatal));
  const asked: string[] = [];
  const read = async (address: string): Promise<never> => {
    asked.push(address);
    throw new Error('the process ends');
  };
  const { db } = network.app.core;
  for (let start = 0; start < 5; start++) {
    const job = crawlEmbeds({ db, crawler: { read }, clock: Date.now, report: () => undefined });
    await job(NEVER).catch(() => undefined);
  }
  expect(asked.filter((address) => address === fatal)).toHaveLength(3);
});
