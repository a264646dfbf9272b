import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createKey } from '../src/access/key.js';
import type { Reader } from '../src/db/statement.js';
import { findEnd } from '../src/event/log-position.js';
import { afterRow, type Position } from '../src/event/position.js';
import { EventStream } from '../src/event/stream/event-stream.js';
import { webSocketMessages } from '../src/event/stream/frame.js';
import { LiveTail } from '../src/event/stream/live-tail.js';
import { Streams } from '../src/event/stream/streams.js';
import { createSecondApp } from './support/app.js';
import { delay } from './support/delay.js';
import { openStream, type StreamClient } from './support/event-stream.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const BEAT_MS = 100;
const FILTERS = { 'cast.created': { author_fids: [FIDS.bob] } };

let network: Network;
let seeded: Seeded;
let streams: Streams;
const openStreams = (heartbeatMs: number): Streams => {
  const { db, reads, clock, searchPatterns: search } = network.app.services;
  const failed = (error: unknown) => expect.unreachable(String(error));
  const opened = new Streams({ db, reads, search, clock, failed, heartbeatMs });
  opened.start();
  return opened;
};
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
  streams = openStreams(BEAT_MS);
});
afterAll(async () => {
  await streams.stop();
  await network.stop();
});

const makeKey = async () => {
  const { id: appId } = await createSecondApp(network);
  const { id: keyId } = await createKey(network.app.core.db, {
    name: 'reads',
    appId,
    scopes: ['read'],
    now: new Date(),
  });
  return { appId, keyId };
};

/** A stream into a pipe that holds 16 KiB until somebody reads it. */
const openPipe = async (position: Position, reader?: { appId: string; keyId: string }, among = streams) => {
  const pipe = new PassThrough({ encoding: 'utf8' });
  const messages: { readonly id: string; readonly type: string; readonly reason?: string }[] = [];
  let unread = '';
  const stream = new EventStream(
    { ...(reader ?? (await makeKey())), dialect: 'neutral', position },
    {
      writable: pipe,
      // Messages of a WebSocket keep their borders; in a pipe, lines do.
      format: {
        event: (id, body) => `${webSocketMessages.event(id, body)}\n`,
        heartbeat: (id) => `${webSocketMessages.heartbeat(id)}\n`,
        end: (end) => `${webSocketMessages.end(end)}\n`,
      },
    },
  );
  among.run(stream, FILTERS);
  const read = () => {
    pipe.on('data', (text: string) => {
      const lines = (unread + text).split('\n');
      unread = lines.pop() as string;
      messages.push(...lines.map((line) => JSON.parse(line)));
    });
  };
  return { pipe, stream, messages, read, events: () => messages.filter(({ type }) => type === 'cast.created') };
};

/** Bob casts; the texts fill a pipe soon. */
const castMany = async (count: number): Promise<string[]> => {
  const casts = Array.from({ length: count }, (_, index) => seeded.bob.cast({ text: `${index} ${'x'.repeat(300)}` }));
  await network.app.core.ingest.submit(
    casts.map(({ item }) => item),
    { source: 'hub', announce: true },
  );
  return casts.map(({ hash }) => `0x${Buffer.from(hash).toString('hex')}`);
};
const hashes = (events: readonly object[]): string[] =>
  events.map((event) => (event as { data: { hash: string } }).data.hash);

test('a client that reads nothing is cut off, and learns where to go on', async () => {
  const start = await findEnd(network.app.core.db);
  const { pipe, stream, messages, read, events } = await openPipe(start);
  const sent = await castMany(800);
  await expect.poll(() => stream.isOpen).toBe(false);
  // What is unread is bounded: a little above the limit, of 800 casts of two kilobytes.
  expect(pipe.writableLength).toBeLessThan(400_000);
  read();
  await expect.poll(() => messages.at(-1)).toMatchObject({ type: 'end', reason: 'slow' });
  const got = hashes(events());
  expect(got.length).toBeGreaterThan(0);
  expect(got).toEqual(sent.slice(0, got.length));
  expect(messages.at(-1)?.id).toBe(events().at(-1)?.id);
});

test('a client that reads slowly gets everything, in order and once', async () => {
  // Reading is counted in heartbeats: on a busy machine, the casts of a round take more than a slow client may.
  const patient = openStreams(3_600_000);
  const { pipe, read, events } = await openPipe(await findEnd(network.app.core.db), undefined, patient);
  read();
  await delay(BEAT_MS);
  const sent: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    pipe.pause();
    sent.push(...(await castMany(200)));
    await delay(2 * BEAT_MS);
    pipe.resume();
    await delay(BEAT_MS / 2);
  }
  await expect.poll(() => events().length).toBe(sent.length);
  expect(hashes(events())).toEqual(sent);
  pipe.destroy();
  await patient.stop();
});

test('a stream ends with its key', async () => {
  const reader = await makeKey();
  const { messages, read } = await openPipe(afterRow(0), reader);
  read();
  await network.sql('update api_key set revoked_at = now() where id = $1', [reader.keyId]);
  await expect.poll(() => messages.at(-1)).toMatchObject({ type: 'end', reason: 'key' });
});

test('a heartbeat carries the place in the log, also when nothing matches', async () => {
  const { pipe, messages, read } = await openPipe(await findEnd(network.app.core.db));
  read();
  const before = Number(messages.at(-1)?.id ?? 0);
  await seeded.send(seeded.carol.cast({ text: 'for nobody' }));
  await expect.poll(() => Number(messages.at(-1)?.id)).toBeGreaterThan(before);
  expect(messages.at(-1)?.type).toBe('heartbeat');
  pipe.destroy();
});

test('a service that stops says so', async () => {
  const { db, reads, clock, searchPatterns: search } = network.app.services;
  const other = new Streams({ db, reads, search, clock, failed: () => undefined });
  other.start();
  const pipe = new PassThrough({ encoding: 'utf8' });
  const reader = { ...(await makeKey()), dialect: 'neutral', position: afterRow(0) } as const;
  other.run(new EventStream(reader, { writable: pipe, format: webSocketMessages }), FILTERS);
  let text = '';
  pipe.on('data', (more: string) => {
    text += more;
  });
  await other.stop();
  expect(text).toContain('"reason":"stopping"');
});

test('a stream that has come further than the others gets nothing twice', async () => {
  const { db, reads, searchPatterns: search } = network.app.services;
  const start = await findEnd(db);
  // Three pages; the tail reads the first one when the stream joins.
  await castMany(2_500);
  const end = await findEnd(db);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let pages = 0;
  const slow: Reader = {
    read: async (...args) => {
      pages += 1;
      if (pages === 1) await held;
      return db.read(...args);
    },
  };
  const failed = (error: unknown) => expect.unreachable(String(error));
  const tail = new LiveTail({ db: slow, reads, search, aliasesOf: () => [], failed });
  const pipes = [start, end].map((position) => {
    const pipe = new PassThrough({ encoding: 'utf8' });
    const reader = { appId: randomUUID(), keyId: randomUUID(), dialect: 'neutral', position } as const;
    return { pipe, stream: new EventStream(reader, { writable: pipe, format: webSocketMessages }) };
  });
  const [behind, ahead] = pipes as [(typeof pipes)[0], (typeof pipes)[0]];
  void tail.follow(behind.stream, { 'follow.created': {} });
  tail.start();
  await expect.poll(() => pages).toBe(1);
  void tail.follow(ahead.stream, FILTERS);
  release();
  await expect.poll(() => behind.stream.position.logId).toBe(end.logId);
  expect(ahead.stream.position).toEqual(end);
  expect(ahead.pipe.read()).not.toContain('cast.created');
  await tail.stop();
});

test('clients that come and go while events are written get each of them once', async () => {
  const url = `${network.url}/v2/social/stream/?types=cast.created`;
  const headers = { 'x-api-key': network.apiKey };
  const wanted: string[] = [];
  /** What one client does: how many events it reads before it disconnects. */
  const visits = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 });
  const follow = async (stays: readonly number[], isOver: () => boolean): Promise<string[]> => {
    const got: string[] = [];
    let since = String((await findEnd(network.app.core.db)).logId);
    for (let visit = 0; ; visit += 1) {
      const client: StreamClient = await openStream(`${url}&since=${since}`, headers);
      const most = stays[visit % stays.length] as number;
      const isEnough = () =>
        client.events.length >= most || (isOver() && got.length + client.events.length >= wanted.length);
      await vi.waitUntil(isEnough, { timeout: 30_000, interval: 5 });
      client.close();
      // What arrived is what counts, as for a client that was killed.
      got.push(...hashes(client.events));
      since = client.events.at(-1)?.id ?? since;
      if (isOver() && got.length >= wanted.length) return got;
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(visits, { minLength: 4, maxLength: 8 }), async (clients) => {
      let isOver = false;
      wanted.length = 0;
      const reading = clients.map((stays) =>
        follow(
          stays.map((stay) => stay + 1),
          () => isOver,
        ),
      );
      await expect.poll(() => network.app.services.streams.size).toBeGreaterThanOrEqual(clients.length);
      const first = await findEnd(network.app.core.db);
      for (let batch = 0; batch < 6; batch += 1) wanted.push(...(await castMany(10)));
      isOver = true;
      expect(first.logId).toBeGreaterThan(0);
      for (const got of await Promise.all(reading)) expect(got).toEqual(wanted);
    }),
    { numRuns: 5 },
  );
});
