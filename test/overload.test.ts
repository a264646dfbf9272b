import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Type from 'typebox';
import { afterEach, expect, test } from 'vitest';
import { operation } from '../src/api/http/operation.js';
import { Admission, type AdmissionLimits } from '../src/api/limit/admission.js';
import type { ServerOptions } from '../src/api/server.js';
import { type Shell, startShell } from './support/http-shell.js';

const LIMITS: AdmissionLimits = { inWork: 4, inWorkPerKey: 2, longPerKey: 8, waiting: 60, waitingPerKey: 40 };
const CONNECTIONS = 512;
/** How often durations are looked at. */
const TICK_MS = 50;

let shell: Shell;
let admission: Admission;
let url: string;
let greedyKey: string;
let otherKey: string;
/** Names of the requests whose handlers began. */
let begun: string[];
/** Ends a handler. */
let release: Map<string, () => void>;

const described = {
  ...{ tags: ['Test'], title: 'Test', summary: 'For tests.', cost: { fixed: 1 } },
  response: Type.Object({ name: Type.String() }),
  errors: [],
};
const Query = Type.Object({ name: Type.String() });
const handle = async ({ query }: { query: { name: string } }) => {
  begun.push(query.name);
  await new Promise<void>((resolve) => release.set(query.name, resolve));
  return { name: query.name };
};
/** Operations whose requests are in work until `release` ends them, in each family of errors. */
const operations = [
  operation({ ...described, id: 'held', path: '/v2/test/held/', query: Query, handle }),
  operation({ ...described, id: 'held-hub', path: '/v1/testHeld', query: Query, handle }),
  operation({
    ...{ ...described, id: 'large', path: '/v2/test/large/' },
    handle: async () => ({ name: 'x'.repeat(30_000_000) }),
  }),
  operation({ ...described, id: 'held-portal', path: '/portal/held', query: Query, scope: 'portal', handle }),
];

const open = async (options: ConstructorParameters<typeof Admission>[1], server: ServerOptions = {}): Promise<void> => {
  begun = [];
  release = new Map();
  admission = new Admission(LIMITS, options);
  shell = await startShell({
    operations,
    ...server,
    services: { admission: { work: admission, outside: admission } },
  });
  const port = await shell.server.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${port}`;
  [greedyKey, otherKey] = [await shell.key(), await shell.key()];
};
/** Only requests that are ended leave their place or the queue. */
const openPatient = () => open({ keepsSlots: true, maxWaitMs: 3_600_000, tickMs: TICK_MS });

afterEach(async () => {
  releaseAll();
  await shell.stop();
  admission.stop();
});

const releaseAll = (): void => {
  for (const [name, end] of release) {
    release.delete(name);
    end();
  }
};
/** Ends everything that is in work, again and again, until the requests are answered. */
const answerAll = async <T>(requests: Promise<T>): Promise<T> => {
  const timer = setInterval(releaseAll, 5);
  try {
    return await requests;
  } finally {
    clearInterval(timer);
  }
};
const get = (key: string, path: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}${path}`, { headers: { 'x-api-key': key }, ...(signal && { signal }) });
const held = (key: string, name: string, signal?: AbortSignal) => get(key, `/v2/test/held/?name=${name}`, signal);
const sendMany = (count: number, name = 'greedy'): Promise<Response>[] =>
  Array.from({ length: count }, (_, index) => held(greedyKey, `${name}${index}`));
const statuses = async (requests: Promise<Response>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('of 512 requests of one key, as many are served as have a place or a place in the queue, the rest is a 503', async () => {
  await openPatient();
  const requests = sendMany(CONNECTIONS);
  await expect.poll(() => admission.load).toEqual({ inWork: 4, waiting: 40, refused: CONNECTIONS - 44, slow: 0 });
  expect(begun).toHaveLength(4);
  expect(await answerAll(statuses(requests))).toEqual({ 200: 44, 503: CONNECTIONS - 44 });
  // Later requests are served as if nothing had happened.
  await expect.poll(() => admission.load).toMatchObject({ inWork: 0, waiting: 0 });
  expect(await answerAll(statuses(sendMany(10, 'later')))).toEqual({ 200: 10 });
});

test('a refusal says when to try again, in the form of its family, and is logged in no line of its own', async () => {
  await openPatient();
  const requests = sendMany(44);
  await expect.poll(() => admission.load.waiting).toBe(40);
  const [v2, hub, portal] = await Promise.all(
    ['/v2/test/held/?name=a', '/v1/testHeld?name=b', '/portal/held?name=c'].map(async (path) => {
      const response = await get(greedyKey, path);
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('x-compute-units')).toBe('0');
      return response.json();
    }),
  );
  expect(v2).toEqual({ code: 'Overloaded', message: expect.stringContaining('Try again'), status: 503 });
  expect(hub).toMatchObject({ errCode: 'unavailable', name: 'HubError', code: 14 });
  expect(portal).toEqual({ code: 'Overloaded', message: expect.stringContaining('Try again') });
  expect(shell.log.filter(({ level }) => Number(level) > 30)).toEqual([]);
  await answerAll(Promise.all(requests));
});

test('another key gets the next place that is free, and keys take turns', async () => {
  await openPatient();
  const requests = sendMany(40);
  await expect.poll(() => admission.load.waiting).toBe(36);
  const others = ['x', 'y', 'z'].map((name) => held(otherKey, name));
  await expect.poll(() => admission.load.waiting).toBe(39);
  // The greedy key has more than its share, so the first places that it leaves are for the other key.
  for (const name of begun.slice(0, 2)) release.get(name)?.();
  await expect.poll(() => begun.slice(4)).toEqual(['x', 'y']);
  for (const name of ['x', 'y']) release.get(name)?.();
  await expect.poll(() => begun.length).toBe(7);
  expect(begun.slice(4)).toContain('z');
  expect(await answerAll(statuses([...requests, ...others]))).toEqual({ 200: 43 });
});

test('a full queue takes requests of a key with few by refusing some of the key with most', async () => {
  await openPatient();
  const third = await shell.key();
  const requests = [
    ...sendMany(44),
    ...Array.from({ length: 20 }, (_, index) => held(otherKey, `other${index}`)),
    ...Array.from({ length: 5 }, (_, index) => held(third, `third${index}`)),
  ];
  await expect.poll(() => admission.load).toEqual({ inWork: 4, waiting: 60, refused: 5, slow: 0 });
  const answers = await answerAll(Promise.all(requests));
  expect(answers.slice(44).map(({ status }) => status)).toEqual(Array(25).fill(200));
});

test('health answers while all places are taken and all queues are full', async () => {
  await openPatient();
  const requests = sendMany(100);
  await expect.poll(() => admission.load.waiting).toBe(40);
  const live = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/health/live`)));
  expect(live.map(({ status }) => status)).toEqual(Array(20).fill(200));
  await answerAll(Promise.all(requests));
});

test('a waiting request leaves the queue with its client, one in work when its handler has ended', async () => {
  await openPatient();
  const working = new AbortController();
  const waiting = new AbortController();
  const gone = [0, 1, 2, 3].map((index) => held(greedyKey, `working${index}`, working.signal).catch(() => undefined));
  await expect.poll(() => begun.length).toBe(4);
  gone.push(held(greedyKey, 'waiting', waiting.signal).catch(() => undefined));
  await expect.poll(() => admission.load.waiting).toBe(1);
  waiting.abort();
  await expect.poll(() => admission.load).toMatchObject({ inWork: 4, waiting: 0 });
  working.abort();
  await Promise.all(gone);
  // Work goes on without its client, so the places are still taken when a client that left later has left the queue.
  const late = new AbortController();
  const last = held(greedyKey, 'late', late.signal).catch(() => undefined);
  await expect.poll(() => admission.load.waiting).toBe(1);
  late.abort();
  await last;
  await expect.poll(() => admission.load.waiting).toBe(0);
  expect(admission.load.inWork).toBe(4);
  releaseAll();
  await expect.poll(() => admission.load.inWork).toBe(0);
  expect(begun).not.toContain('waiting');
});

test('a request that takes long gives its place to others, until its key has too many of them', async () => {
  await open({ maxWaitMs: 3_600_000, tickMs: TICK_MS });
  const requests = sendMany(30);
  // Eight long ones may be in work besides; they are found in steps of as many as have a place.
  await expect.poll(() => begun.length).toBeGreaterThan(7);
  // The other key has more requests than places, so its last one begins only when others have taken long again.
  const others = Array.from({ length: LIMITS.inWork + 1 }, (_, index) => held(otherKey, `other${index}`));
  await expect.poll(() => begun).toEqual(expect.arrayContaining(others.map((_, index) => `other${index}`)));
  const greedy = begun.filter((name) => name.startsWith('greedy'));
  expect(greedy.length).toBeLessThanOrEqual(LIMITS.longPerKey + LIMITS.inWork);
  expect(await answerAll(statuses([...requests, ...others]))).toEqual({ 200: 35 });
});

test('requests that have waited for too long are refused', async () => {
  await open({ keepsSlots: true, maxWaitMs: 500, tickMs: TICK_MS });
  const requests = sendMany(30);
  // Four keep their places; all others are refused without any of them being answered.
  await expect.poll(() => admission.load).toEqual({ inWork: 4, waiting: 0, refused: 26, slow: 0 });
  expect(await answerAll(statuses(requests))).toEqual({ 200: 4, 503: 26 });
});

test('pipelined requests of a client that disconnects leave nothing behind', async () => {
  await openPatient();
  const accepted = once(shell.server.fastify.server, 'connection');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const [connection] = (await accepted) as [Socket];
  const request = (name: number) =>
    `GET /v2/test/held/?name=pipelined${name} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${greedyKey}\r\n\r\n`;
  socket.write(Array.from({ length: 12 }, (_, name) => request(name)).join(''));
  await expect.poll(() => admission.load).toMatchObject({ inWork: 4, waiting: 8 });
  const closed = once(connection, 'close');
  socket.destroy();
  await closed;
  const timer = setInterval(releaseAll, 5);
  await expect.poll(() => admission.load).toMatchObject({ inWork: 0, waiting: 0 });
  clearInterval(timer);
});

test('a client that does not read its response loses its connection, and its place', async () => {
  await open({ tickMs: TICK_MS }, { unmovedMs: 500 });
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.pause().on('error', () => undefined);
  socket.write(`GET /v2/test/large/ HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${greedyKey}\r\n\r\n`);
  await expect.poll(() => admission.load.slow).toBe(1);
  await expect.poll(() => admission.load.slow, { timeout: 10_000 }).toBe(0);
  socket.destroy();
});
