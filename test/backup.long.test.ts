import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToLockOwner } from '../src/db/lock.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { type Author, author } from '../src/sample/author.js';
import { createClock } from '../src/sample/clock.js';
import { buildProgram, castellan, type Service, TestWorkspace } from './support/castellan.js';
import { FakeHub } from './support/fake-hub.js';
import { registration, until } from './support/hub-fixture.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';

/** A run by hand may set more, to measure: CASTELLAN_TEST_EVENTS=100000. */
const CASTS = Number(process.env.CASTELLAN_TEST_EVENTS ?? 4_000);
const BATCH = 200;

const people = Array.from({ length: 10 }, (_, index) =>
  author({ seed: 'backup', fid: 31 + index, clock: createClock(fromUnixMs(Date.now()) - 7_200 - CASTS / 5) }),
);
const workspace = new TestWorkspace();
let hub: FakeHub;
let receiver: Receiver;
beforeAll(async () => {
  await buildProgram();
  hub = new FakeHub([1]);
  await hub.start();
  receiver = await startReceiver((_request, response) => void response.end());
});
afterAll(async () => {
  await workspace.clear();
  await receiver.stop();
  hub.stop();
});

const stop = async ({ child, ended }: Service): Promise<void> => {
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
};
const postedTexts = (received: readonly Received[]): string[] => received.map(({ body }) => JSON.parse(body).data.text);
const bodyOf = async (response: Promise<Response>) => (await response).json() as Promise<Record<string, never>>;

test.skipIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a backup of a running service is restored as of its moment, and the service goes on with the hub from there',
  async () => {
    const [first] = people as [Author];
    for (const person of people) hub.say(...(await registration(person)));
    const store: Record<string, string> = {
      ...(await workspace.newStore()),
      CASTELLAN_HUB_URL: hub.address.address,
      CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    };
    let service = await workspace.startDev(store);
    const messages = async (): Promise<number> => {
      const { dbStats } = (await bodyOf(service.get('/v1/info?dbstats=1'))) as unknown as {
        dbStats: { numMessages: number };
      };
      return dbStats.numMessages;
    };
    const has = (text: string) =>
      until(async () => {
        const { casts } = (await bodyOf(
          service.get(`/v2/social/feed/user/casts/?fid=${first.fid}&limit=1`),
        )) as unknown as { casts: { text: string }[] };
        expect(casts[0]?.text).toBe(text);
      }, 120_000);
    const say = (text: string): void => hub.say(first.cast({ text }));
    await until(async () => expect(await bodyOf(service.get('/v1/info'))).toMatchObject({ isSyncing: false }));
    const key = (await readFile(join(store.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8')).trim();
    const made = await fetch(`http://127.0.0.1:${service.environment.PORT}/v2/social/webhook/`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'all',
        url: `${receiver.url}/hook`,
        subscription: { 'cast.created': { author_fids: [first.fid] } },
      }),
    });
    expect(made.status).toBe(200);
    say('confirmed before the backup');
    await expect.poll(() => postedTexts(receiver.received)).toEqual(['confirmed before the backup']);

    // Messages come in, and requests are answered, while the backup is made.
    const file = join(workspace.folder, 'one.backup');
    let isDone = false;
    let said = 0;
    const talking = (async () => {
      while (said < CASTS && !isDone) {
        hub.say(
          ...Array.from({ length: BATCH }, (_, n) => (people[1 + (n % 9)] as Author).cast({ text: `${said + n}` })),
        );
        said += BATCH;
        await until(async () => expect(await messages()).toBeGreaterThan(said - 3 * BATCH), 60_000);
      }
    })();
    const latencies: number[] = [];
    const asking = (async () => {
      while (!isDone) {
        const began = performance.now();
        expect((await service.get(`/v2/social/user/bulk/?fids=${first.fid}`)).status).toBe(200);
        latencies.push(performance.now() - began);
      }
    })();
    await until(() => expect(said).toBeGreaterThan(CASTS / 2));
    const began = performance.now();
    const run = await castellan(['backup', file, '--json'], store);
    const seconds = (performance.now() - began) / 1000;
    isDone = true;
    await Promise.all([talking, asking]);
    expect(run.code, run.err).toBe(0);
    const report = JSON.parse(run.out);
    latencies.sort((a, b) => a - b);
    const at = (share: number): string => `${latencies[Math.floor(latencies.length * share)]?.toFixed(0)} ms`;
    console.log(
      `backup: ${Math.round(report.bytes / 1e6)} MB in ${seconds.toFixed(1)} s, ${Math.round((await stat(file)).size / 1e6)} MB compressed; ` +
        `${latencies.length} reads meanwhile: half within ${at(0.5)}, 99% within ${at(0.99)}, all within ${at(0.9999)}`,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await castellan(['backup', file], store)).err).toContain('exists already');

    say('after the backup');
    await has('after the backup');
    await expect.poll(() => postedTexts(receiver.received)).toContain('after the backup');
    const total = await messages();
    const held = await castellan(['restore', file, '--replace'], store);
    expect([held.code, held.err]).toEqual([1, expect.stringContaining('stop it first')]);
    await stop(service);

    expect((await castellan(['restore', file], store)).err).toContain('--replace');
    const restored = await castellan(['restore', file, '--replace', '--json'], store);
    expect(restored.code, restored.err).toBe(0);
    expect(JSON.parse(restored.out)).toMatchObject({
      at: report.at,
      replaced: expect.stringContaining('database.replaced-'),
    });
    const audit = await castellan(['audit'], store);
    expect(audit.code, audit.out).toBe(0);
    const before = receiver.received.length;
    service = await workspace.startDev(service.environment);
    await has('after the backup');
    await until(async () => expect(await messages()).toBe(total), 120_000);
    say('new');
    await expect.poll(() => postedTexts(receiver.received)).toContain('new');
    // What was delivered after the backup is delivered again; what was confirmed before is not.
    expect(postedTexts(receiver.received.slice(before))).toEqual(['after the backup', 'new']);
    await stop(service);
  },
  300_000,
);

test.skipIf(process.env.TEST_DATABASE_URL !== undefined)(
  'while a restore runs, other commands say so',
  async () => {
    const store = await workspace.newStore();
    // Opening a pipe waits until something is written.
    const pipe = join(workspace.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const restoring = workspace.start(['restore', pipe], store);
    const isHeld = async (): Promise<boolean> => {
      const socket = await connectToLockOwner(store.CASTELLAN_DATA_DIR as string);
      socket?.destroy();
      return socket !== undefined;
    };
    await expect.poll(isHeld).toBe(true);
    const other = await castellan(['key', 'list'], store);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('castellan restore is running')]);
    await writeFile(pipe, 'no backup');
    expect((await restoring.ended).code).toBe(1);
  },
  60_000,
);

test.skipIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a damaged backup changes nothing',
  async () => {
    const store = await workspace.newStore();
    expect((await castellan(['migrate'], store)).code).toBe(0);
    const file = join(workspace.folder, 'whole.backup');
    expect((await castellan(['key', 'create', 'kept'], store)).code).toBe(0);
    const made = await castellan(['backup', file], store);
    expect(made.code, made.err).toBe(0);
    const whole = await readFile(file);
    const damaged = join(workspace.folder, 'damaged.backup');
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 0x10;
    for (const bytes of [flipped, whole.subarray(0, whole.length - 1_000), Buffer.from('no backup'), Buffer.alloc(0)]) {
      await writeFile(damaged, bytes);
      const run = await castellan(['restore', damaged, '--replace'], store);
      expect([run.code, run.err]).toEqual([1, expect.stringContaining('is no complete backup of Castellan')]);
    }
    expect((await castellan(['key', 'list'], store)).out).toContain('kept');
  },
  120_000,
);

test.runIf(process.env.TEST_DATABASE_URL !== undefined)('a server is backed up by its own means', async () => {
  const store = await workspace.migratedStore();
  for (const [command, other] of [
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ] as const) {
    const run = await castellan([command, join(workspace.folder, 'server.backup')], store);
    expect([run.code, run.err]).toEqual([1, expect.stringContaining(other)]);
  }
});
