import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { databaseUrlOf, type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

/** Milliseconds in which a response comes that waits for no lock; a page takes a few, and a lock is waited for five seconds. */
const AT_ONCE_MS = 1_000;
const LOCKED_MS = 3_000;

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('a lock of somebody else', () => {
  let network: Network;
  let other: pg.Client;
  /** Milliseconds that the service's clock is ahead. */
  let ahead = 0;

  beforeAll(async () => {
    network = await startNetwork({}, undefined, { clock: () => Date.now() + ahead });
    await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
    other = new pg.Client({ connectionString: databaseUrlOf(network) });
    await other.connect();
  });
  afterAll(async () => {
    await other?.end();
    await network?.stop();
  });

  const PAGE = `/v2/social/user/bulk/?fids=${FIDS.alice}`;
  const read = async (path: string, key = network.apiKey) => {
    const began = performance.now();
    const { status, body } = await network.get(path, { 'x-api-key': key });
    return { status, body, took: performance.now() - began };
  };
  const locking = async (table: string, work: () => Promise<void>): Promise<void> => {
    await other.query(`begin; lock table ${table} in access exclusive mode`);
    try {
      await work();
    } finally {
      await other.query('rollback');
    }
  };
  const readWhileLocked = async (): Promise<void> => {
    const until = performance.now() + LOCKED_MS;
    for (let fid = 1_000; performance.now() < until; fid++) {
      for (const path of [PAGE, `/v2/social/user/bulk/?fids=${FIDS.alice},${fid}`]) {
        const { status, took } = await read(path);
        expect(status).toBe(200);
        expect(took).toBeLessThan(AT_ONCE_MS);
      }
    }
  };

  test('on the log of changes delays no read, and what is read is fresh', async () => {
    const writer = new pg.Client({ connectionString: databaseUrlOf(network) });
    await writer.connect();
    // Cached by the second request.
    for (let n = 0; n < 3; n++) expect((await read(PAGE)).status).toBe(200);
    await locking('change', async () => {
      // A change of which the log says nothing, so that a cache could not know of it.
      await writer.query('update account set follower_count = follower_count + 1000 where fid = $1', [FIDS.alice]);
      const followers = async () => (await read(PAGE)).body.users[0].follower_count;
      await expect.poll(followers, { timeout: AT_ONCE_MS }).toBeGreaterThanOrEqual(1_000);
      await readWhileLocked();
    });
    await writer.end();
  });

  test('on the keys stops no request whose key was valid ten seconds ago', async () => {
    expect((await read(PAGE)).status).toBe(200);
    await locking('api_key', async () => {
      await readWhileLocked();
      ahead += 10_000;
      expect((await read(PAGE)).status).toBe(503);
    });
    await expect.poll(async () => (await read(PAGE)).status).toBe(200);
  });

  test('on the keys keeps none that was revoked here', async () => {
    const { id, secret } = await createKey(network.app.core.db, { name: 'short', now: new Date() });
    expect((await read(PAGE, secret)).status).toBe(200);
    expect((await network.send('DELETE', '/operator/key', { key_uuid: id })).status).toBe(200);
    await locking('api_key', async () => {
      expect((await read(PAGE, secret)).status).toBe(503);
    });
    expect((await read(PAGE, secret)).status).toBe(401);
  });
});
