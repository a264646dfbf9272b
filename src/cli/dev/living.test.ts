import { FarcasterNetwork } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestIngest } from '../../../test/support/ingest.js';
import type { ServiceCore } from '../../app/service-core.js';
import { toUnixMs } from '../../protocol/time.js';
import { sampleTime } from '../../sample/clock.js';
import { generateSampleNetwork } from '../../sample/network.js';
import { createLivingNetwork, type LivingOptions } from './living.js';

const since = sampleTime();
const accounts = 40;
let fixture: TestDatabase;
let core: ServiceCore;
let seconds = 0;
const log = { debug: () => undefined, warn: () => undefined };

const withResolvers = () => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
};

beforeAll(async () => {
  fixture = await openTestDatabase();
  const ingest = openTestIngest(fixture.db);
  core = { db: fixture.db, ingest, network: FarcasterNetwork.DEVNET } as ServiceCore;
  const options = { accounts, casts: 120, reactions: 200, follows: 200, now: since };
  for await (const items of generateSampleNetwork(options).items())
    await ingest.submit(items, { source: 'sample', announce: false });
});
afterAll(() => fixture.drop());

const create = (options: Partial<LivingOptions> = {}) =>
  createLivingNetwork(core, {
    pictures: 'https://image.castellan.example',
    since,
    accounts,
    log,
    clock: () => toUnixMs(since) + 4_000 * seconds++,
    ...options,
  });

const count = async (): Promise<number> =>
  Number((await fixture.db.run<{ n: number }>(`select count(*) as n from message where ts > ${since}`))[0]?.n);

test('its messages are announced, and stay below the number of messages that stay', async () => {
  const living = create({ maxMessages: 40 });
  for (let act = 0; act < 90; act++) await living.act();
  const [events] = await fixture.db.run<{ n: number }>('select count(*) as n from hub_event');
  expect(Number(events?.n)).toBeGreaterThan(80);
  expect(await count()).toBeGreaterThan(30);
  expect(await count()).toBeLessThanOrEqual(60);
});

test('it goes on after a restart: with another act, and with the messages that it left', async () => {
  const before = await count();
  const living = create({ maxMessages: 1 });
  await living.act();
  expect(await count()).toBe(before + 1 - 20);
});

test('it acts again and again, and ends with its stop', async () => {
  let waits = 0;
  const reached = withResolvers();
  const living = create({
    wait: async (ms, signal) => {
      expect(ms).toBeGreaterThanOrEqual(2_000);
      expect(ms).toBeLessThanOrEqual(6_000);
      if (++waits < 4) return true;
      reached.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return false;
    },
  });
  const before = await count();
  living.start();
  await reached.promise;
  await living.stop();
  expect(await count()).toBeGreaterThan(before);
});

test('one warning says that the database fails', async () => {
  const warnings: string[] = [];
  const pauses: number[] = [];
  const ended = withResolvers();
  const broken = { ...core, ingest: { ...core.ingest, submit: () => Promise.reject(new Error('no database')) } };
  const living = createLivingNetwork(broken, {
    pictures: '',
    since,
    accounts,
    log: { debug: () => undefined, warn: (_: unknown, text?: string) => void warnings.push(text ?? '') } as never,
    wait: async (ms, signal) => {
      pauses.push(ms);
      if (pauses.length < 4) return true;
      ended.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return false;
    },
  });
  living.start();
  await ended.promise;
  await living.stop();
  expect(warnings).toHaveLength(1);
  expect(pauses.at(-1)).toBe(60_000);
});
