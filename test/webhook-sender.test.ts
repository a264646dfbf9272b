import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureDefaultAccess } from '../src/access/key.js';
import { MasterKey } from '../src/config/secret.js';
import type { OutboundClient } from '../src/delivery/outbound.js';
import { OutboundError } from '../src/delivery/outbound-error.js';
import { eventId, parsePosition } from '../src/event/position.js';
import { createEventSender, type EventSender } from '../src/event/webhook/sender.js';
import { makeSecret } from '../src/event/webhook/signature.js';
import { selectWebhookAttempts } from '../src/store/event/attempt-list.js';
import { upsertUserChanges } from '../src/store/event/cursor.js';
import { insertEventBodies, upsertDeliveries } from '../src/store/event/delivery.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

/** Deliveries of one batch. */
const BATCH = 64;

let database: TestDatabase;
let sender: EventSender;
/** Calls by address. */
let calls: Map<string, number>;
/** The most calls of one address when `up.example` was called. */
let callsBeforeUp: number;
/** How long the n-th call of an address lasts, but of `up.example`; one of `down.example` fails with a timeout then. */
let timeoutOf: (call: number) => Promise<void>;
/** Milliseconds that the clock of the sender is ahead. */
let ahead: number;
beforeEach(async () => {
  database = await openTestDatabase();
  await ensureDefaultAccess(database.db, undefined, new Date());
  calls = new Map();
  timeoutOf = async () => undefined;
  ahead = 0;
  const outbound: OutboundClient = {
    allowLoopback: false,
    request: async ({ url: { href, hostname }, signal }) => {
      const call = (calls.get(href) ?? 0) + 1;
      calls.set(href, call);
      if (hostname === 'up.example') callsBeforeUp = Math.max(...calls.values());
      if (hostname === 'up.example') return { status: 200, headers: {}, body: Buffer.alloc(0) };
      const aborted = new Promise<never>((_, fail) => {
        signal?.addEventListener('abort', () => fail(signal.reason));
      });
      await Promise.race([timeoutOf(call), aborted]);
      if (hostname === 'slow.example') return { status: 200, headers: {}, body: Buffer.alloc(0) };
      throw new OutboundError('timeout', 'did not answer in time.');
    },
  };
  sender = createEventSender({
    db: database.db,
    outbound,
    masterKey,
    clock: () => Date.now() + ahead,
    meter: (_kind, attempt) => attempt(),
    attemptFailed: () => undefined,
    failed: (error) => expect.unreachable(String(error)),
  });
});
afterEach(async () => {
  await sender.stop();
  await database.drop();
});
const masterKey = new MasterKey(Buffer.alloc(32, 7));

/** @returns the id of a new webhook */
const addWebhook = async (url: string, failingSince: Date | null = null): Promise<string> => {
  const id = randomUUID();
  await database.db.run(
    `insert into webhook (id, app_id, title, target_url, filters, subscription_id, dialect, active, after_log_id,
                          failing_since, created_at, updated_at, subscription_updated_at)
     select $1, id, 'a', $2, '{}', gen_random_uuid(), 'neutral', true, 0, $3, now(), now(), now() from app`,
    [id, url, failingSince],
  );
  await makeSecret(database.db, masterKey, { id: randomUUID(), webhookId: id, createdAt: new Date() });
  return id;
};

/** Makes events due for each of some webhooks. */
const addDue = async (webhookIds: readonly string[], count: number): Promise<void> => {
  await database.db.run(
    `insert into webhook_event (log_id, part, dialect, created_at, body)
     select n, 0, 'neutral', now(), '{}' from generate_series(1, $1::integer) n on conflict do nothing`,
    [count],
  );
  await database.db.run(
    `insert into webhook_delivery (id, webhook_id, log_id, part, type, state, next_at, expires_at, created_at)
     select gen_random_uuid(), id, n, 0, 'cast.created', 'pending', now(), now() + interval '1 day', now()
       from unnest($1::uuid[]) id, generate_series(1, $2::integer) n`,
    [webhookIds, count],
  );
};

const makeTimeout = () => {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
};

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('receivers that do not answer hold up those that do for one batch, however much waits for them', async () => {
  const down = await Promise.all(range(64).map((index) => addWebhook(`https://down.example/${index}`)));
  const up = await addWebhook('https://up.example/');
  await addDue(down, 140);
  const [first, further] = [makeTimeout(), makeTimeout()];
  timeoutOf = (call) => (call <= BATCH ? first : further).over;
  sender.start();
  await expect.poll(() => calls.size).toBe(64);
  await addDue([up], 1);
  first.end();
  await expect.poll(() => calls.get('https://up.example/'), { interval: 20 }).toBe(1);
  expect(callsBeforeUp).toBeLessThan(2 * BATCH + 2);
  further.end();
});

test('receivers that have failed for long are called in turn', async () => {
  const since = new Date(Date.now() - 3_600_000);
  const down = await Promise.all(range(70).map((index) => addWebhook(`https://down.example/${index}`, since)));
  await addDue(down, 20);
  sender.start();
  await expect.poll(() => calls.size, { interval: 20 }).toBe(70);
  expect(Math.max(...calls.values())).toBeLessThan(5);
});

test('an event with the part number 100,000 of a log row is delivered', async () => {
  const { db } = database;
  const webhookId = await addWebhook('https://up.example/');
  const now = new Date();
  const key = { logId: 1, part: 100_000 };
  await insertEventBodies(db, [{ ...key, dialect: 'neutral', body: '{}' }], now);
  const times = { now, expiresAt: new Date(now.getTime() + 60_000), repeated: 'keep' } as const;
  await upsertDeliveries(db, [{ ...key, id: randomUUID(), webhookId, type: 'follow.deleted' }], times);
  await upsertUserChanges(db, [{ ...key, fid: 1, at: now, since: now }]);
  sender.start();
  await expect.poll(() => selectWebhookAttempts(db, webhookId, undefined, 10)).toMatchObject([{ ...key, status: 200 }]);
  expect(parsePosition(eventId(key))).toEqual(key);
});

test('receivers that answer late hold up no others from their second batch on', async () => {
  const slow = await Promise.all(range(64).map((index) => addWebhook(`https://slow.example/${index}`)));
  const up = await addWebhook('https://up.example/');
  await addDue(slow, 2 * BATCH);
  const [first, further] = [makeTimeout(), makeTimeout()];
  timeoutOf = (call) => (call <= BATCH ? first : further).over;
  sender.start();
  await expect.poll(() => calls.size).toBe(64);
  // The calls are answered after six seconds.
  ahead = 6_000;
  first.end();
  // All have begun their second batch.
  await expect.poll(() => Math.min(...calls.values()), { interval: 20 }).toBeGreaterThan(BATCH);
  await addDue([up], 1);
  sender.pollNow();
  await expect.poll(() => calls.get('https://up.example/'), { interval: 20 }).toBe(1);
  further.end();
});

test('a call that nobody answers does not hold up the stop, and is due again at once', async () => {
  const id = await addWebhook('https://down.example/');
  await addDue([id], 1);
  timeoutOf = () => new Promise(() => undefined);
  sender.start();
  await expect.poll(() => calls.size).toBe(1);
  const began = performance.now();
  await sender.stop();
  expect(performance.now() - began).toBeLessThan(5_000);
  const due = await database.db.run<{ state: string; attempts: number; isDue: boolean }>(
    `select state, attempts, next_at <= now() as "isDue" from webhook_delivery`,
  );
  expect(due).toEqual([{ state: 'pending', attempts: 0, isDue: true }]);
});
