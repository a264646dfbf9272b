import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_APP_ID, ensureDefaultAccess } from '../src/access/key.js';
import type { Database } from '../src/db/database.js';
import { jobList } from '../src/job/job-list.js';
import { claimHostToken, insertHostToken } from '../src/store/miniapp/token.js';
import { openTestDatabase } from './support/database.js';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase());
  await ensureDefaultAccess(db, undefined, new Date());
});
afterAll(() => drop());

const NOW = Date.UTC(2026, 0, 10);
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(NOW - hours * HOUR_MS);

const mint = async (name: string, lapsesAt: Date): Promise<void> =>
  insertHostToken(db, {
    appId: DEFAULT_APP_ID,
    fid: 1,
    domain: 'a.example',
    hash: Buffer.from(name),
    mintedAt: ago(3),
    lapsesAt,
  });
const take = (name: string): Promise<boolean> =>
  claimHostToken(db, { appId: DEFAULT_APP_ID, fid: 1, domain: 'a.example' }, Buffer.from(name), ago(2.5));

test('expired events and notifications are deleted, and nothing else', async () => {
  await mint('lapsed', ago(1));
  await mint('fresh', ago(-1));
  for (const name of ['taken', 'given up']) {
    await mint(name, ago(1));
    expect(await take(name)).toBe(true);
  }
  const event = (state: string, endedAt: Date | null, token: string | null) =>
    db.run(
      `insert into host_delivery (id, app_id, fid, domain, event, message, digest, token_hash, state, next_at,
                                  expires_at, created_at, ended_at)
       values (gen_random_uuid(), $1, 1, 'a.example', $2, '', '', $3, $2, $4, $4, $4, $5)`,
      [DEFAULT_APP_ID, state, token && Buffer.from(token), ago(1000), endedAt],
    );
  await event('dead', ago(31 * 24), 'given up');
  await event('dead', ago(29 * 24), null);
  await event('pending', null, 'taken');
  await db.run("update host_delivery set fid = 2 where state = 'dead'");
  await event('delivered', ago(25), null);
  await event('delivered', ago(23), null);
  for (const hours of [31 * 24, 29 * 24]) {
    await db.run(
      `insert into host_notification (app_id, fid, id, domain, notification_id, title, body, target_url, created_at)
       values ($1, 1, gen_random_uuid(), 'a.example', $2, '', '', '', $3)`,
      [DEFAULT_APP_ID, `${hours / 24} days`, ago(hours)],
    );
  }
  const job = jobList({
    retention: { eventDays: 7, deliveryDays: 7 },
    db,
    clock: () => NOW,
    changed: () => undefined,
    readStoredChannels: async () => undefined,
  }).find(({ name }) => name === 'forget-host-events');
  await job?.run(new AbortController().signal);
  const hashes = await db.run<{ hash: Buffer }>('select hash from host_token');
  expect(hashes.map(({ hash }) => hash.toString()).sort()).toEqual(['fresh', 'taken']);
  const states = await db.run<{ state: string }>('select state from host_delivery order by state');
  expect(states.map(({ state }) => state)).toEqual(['dead', 'delivered', 'pending']);
  expect(await db.run('select notification_id from host_notification')).toEqual([{ notification_id: '29 days' }]);
});
