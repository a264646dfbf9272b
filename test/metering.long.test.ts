import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { createMeter } from '../src/billing/usage/unit-meter.js';
import { createLog } from '../src/log.js';
import { keyWith, startSecondService } from './support/app.js';
import {
  type Books,
  metered,
  ONE_UNIT,
  OPERATION,
  setUsed,
  unitsPath,
  unusualCostOperations,
  usageRecordsOf,
} from './support/metered-service.js';
import { type Network, startNetwork } from './support/network.js';

const onServer = process.env.TEST_DATABASE_URL !== undefined;

let network: Network;
afterEach(() => network.stop());

/** @returns what a service that observes counts into a plan of so many units */
const observing = async (units = 1_000_000, options: Parameters<typeof startNetwork>[2] = {}) => {
  network = await startNetwork(metered('observe', units), undefined, options);
};

const times = (count: number, path = ONE_UNIT) => Promise.all(Array.from({ length: count }, () => network.get(path)));

/** Stops the service. @returns the books as they stood when it closed its database, which it does last */
const booksAtClose = async (): Promise<Books> => {
  const { db } = network.app.core;
  const close = db.close.bind(db);
  let books: Books | undefined;
  const atClose = async (): Promise<void> => {
    books = await usageRecordsOf(network);
    await close();
  };
  Object.assign(db, { close: atClose });
  await network.stop();
  network = { ...network, stop: async () => undefined };
  if (books === undefined) throw new Error('the database was never closed');
  return books;
};

describe('use', () => {
  test('is counted by day, key and operation, and stands in the database within moments', async () => {
    await observing();
    const other = await keyWith(network, 'read');
    await times(7);
    await network.get(unitsPath(20), other);
    await network.get('/v2/social/user/by_username/?username=nobody', other);
    await expect.poll(() => usageRecordsOf(network)).toEqual({ used: 29, calls: 9, units: 29 });
    const rows = await network.sql<{ operation: string; calls: number; units: number; day: string }>(
      `select operation, calls, units, day::text from usage_day order by operation, units`,
    );
    const day = new Date().toISOString().slice(0, 10);
    expect(rows).toEqual([
      { operation: OPERATION, calls: 7, units: 7, day },
      { operation: OPERATION, calls: 1, units: 20, day },
      { operation: 'lookup-user-by-username', calls: 1, units: 2, day },
    ]);
  });

  test('is not counted, nor told, where nobody asked for it', async () => {
    network = await startNetwork(metered('off', 1));
    const answers = await times(5);
    expect(answers.map(({ headers }) => headers.get('x-compute-units-used'))).toEqual(Array(5).fill(null));
    expect(await booksAtClose()).toMatchObject({ used: 0, calls: 0 });
  });

  test('of calls that are refused or fail here is none; those that find nothing cost', async () => {
    await observing(1_000_000, unusualCostOperations());
    for (const kind of ['crash', 'internal', 'bad_gateway', 'gateway_timeout']) {
      const { status, headers } = await network.get(`/v2/test/fail/?kind=${kind}`);
      expect([status >= 500, headers.get('x-compute-units')]).toEqual([true, '0']);
    }
    expect((await network.get('/v2/social/user/bulk/?fids=x')).status).toBe(400);
    expect((await network.get(ONE_UNIT, { 'x-api-key': 'unknown' })).status).toBe(401);
    expect((await network.get('/v2/test/fail/?kind=not_found')).status).toBe(404);
    expect((await network.get('/v2/test/fail/?kind=none')).status).toBe(200);
    await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: 2, calls: 2, units: 2 });
  });

  test('goes to the day on which a call is answered', async () => {
    let now = Date.UTC(2026, 10, 20, 23, 59, 59);
    await observing(1_000_000, { clock: () => now });
    await times(2);
    now += 2000;
    await times(3);
    const days = () => network.sql('select day::text, calls from usage_day order by day');
    await expect.poll(days).toEqual([
      { day: '2026-11-20', calls: 2 },
      { day: '2026-11-21', calls: 3 },
    ]);
  });

  test('is written in one statement a second, however many calls there are', async () => {
    await observing();
    const begin = performance.now();
    let calls = 0;
    while (performance.now() - begin < 3000) {
      await times(20);
      calls += 20;
    }
    await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: calls, calls });
    const [row] = await network.sql<{ sequence: number }>('select sequence from usage_flush');
    const seconds = (performance.now() - begin) / 1000;
    expect(row?.sequence).toBeGreaterThanOrEqual(2);
    expect(row?.sequence).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  });
});

describe('warnings', () => {
  const told = async () => {
    const { headers } = await network.get(ONE_UNIT);
    return ['used', 'limit', 'reset'].map((word) => headers.get(`x-compute-units-${word}`));
  };

  test('come from four fifths of the plan on, and nothing is refused', async () => {
    await observing(100);
    await setUsed(network, 70);
    const [{ day } = { day: '' }] = await network.sql<{ day: string }>(
      `select (period_end at time zone 'UTC')::date::text as day from subscription`,
    );
    await times(9);
    // 79 after these; the standing is known once they are written down.
    await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: 79 });
    await expect.poll(told).toEqual([expect.stringMatching(/^8\d$/), '100', day]);
    await times(40);
    await expect.poll(async () => Number((await told())[0])).toBeGreaterThan(100);
    expect((await network.get(ONE_UNIT)).status).toBe(200);
  });

  test('are not given below', async () => {
    await observing(100);
    await times(60);
    await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: 60 });
    expect(await told()).toEqual([null, null, null]);
  });
});

test('a graceful stop loses nothing', async () => {
  await observing();
  await times(33);
  expect(await booksAtClose()).toMatchObject({ used: 33, calls: 33, units: 33 });
});

/** A meter beside that of the service. @returns it, and the units that it says are lost */
const compareMetering = (enforces: boolean) => {
  const lost: number[] = [];
  const quiet = () => undefined;
  const meter = createMeter({
    db: network.app.core.db,
    plans: network.app.services.plans,
    clock: Date.now,
    enforces,
    renew: async () => undefined,
    counted: quiet,
    failed: quiet,
    lost: (units) => lost.push(units),
  });
  return { meter, lost };
};

const CALL = {
  organizationId: DEFAULT_ORGANIZATION_ID,
  keyId: '00000000-0000-4000-8000-000000000000',
  planId: null,
  operation: OPERATION,
  units: 4,
};

for (const enforces of [false, true]) {
  test(`a stop waits for work that goes on, and counts it (${enforces ? 'enforce' : 'observe'})`, async () => {
    await observing();
    const { meter, lost } = compareMetering(enforces);
    await meter.begin(CALL);
    let isStopped = false;
    const stopping = meter.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isStopped).toBe(false);
    expect(await usageRecordsOf(network)).toMatchObject({ used: 0 });
    meter.end(CALL, CALL.units);
    await stopping;
    expect(await usageRecordsOf(network)).toMatchObject({ used: 4 });
    expect(lost).toEqual([]);
  });
}

test('a stop has an end where work never ends, and says what it would have cost', async () => {
  await observing();
  const { meter, lost } = compareMetering(false);
  await meter.begin(CALL);
  await meter.stop();
  expect(lost).toEqual([4]);
});

test('a stop has an end where the database does not answer, and says what is perhaps lost', async () => {
  await observing();
  const { db } = network.app.core;
  const { meter, lost } = compareMetering(false);
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isLocked = false;
  const holder = db.transaction(async (session) => {
    await session.run('lock table usage_flush in access exclusive mode');
    isLocked = true;
    await isReleased;
  });
  await expect.poll(() => isLocked).toBe(true);
  try {
    await meter.begin(CALL);
    meter.end(CALL, CALL.units);
    const patience = new Promise((resolve) => setTimeout(() => resolve('still stopping'), 20_000));
    expect(await Promise.race([meter.stop().then(() => 'stopped'), patience])).toBe('stopped');
    expect(lost).toEqual([4]);
  } finally {
    release();
    await holder;
  }
});

test('a database that fails stops no call, and what was counted meanwhile is written once it works', async () => {
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => lines.push(line) });
  network = await startNetwork(metered('observe', 1_000_000), log);
  await network.sql('alter table usage_day rename to usage_day_gone');
  expect((await times(50)).every(({ status }) => status === 200)).toBe(true);
  await expect.poll(() => lines.join()).toContain('usage could not be written');
  expect((await times(50)).every(({ status }) => status === 200)).toBe(true);
  await network.sql('alter table usage_day_gone rename to usage_day');
  await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: 100, calls: 100, units: 100 });
});

test('a batch whose response was lost counts once', async () => {
  await observing();
  // The connection breaks after the commit, before the response arrives.
  const { db } = network.app.core;
  const transaction = db.transaction.bind(db);
  let broken = 0;
  Object.assign(db, {
    transaction: async <T>(work: Parameters<typeof transaction<T>>[0]): Promise<T> => {
      const result = await transaction(work);
      if (JSON.stringify(result).includes('"isWritten":true') && broken++ < 2) {
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      }
      return result;
    },
  });
  await times(25);
  await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: 25 });
  await expect.poll(() => broken).toBeGreaterThan(2);
  await times(5);
  await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: 30, calls: 30, units: 30 });
});

test.runIf(onServer)('several processes add up', async () => {
  await observing();
  const second = await startSecondService(network);
  try {
    await Promise.all([times(80), ...Array.from({ length: 70 }, () => second.get(ONE_UNIT))]);
    await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: 150, calls: 150, units: 150 });
  } finally {
    await second.stop();
  }
  const flushes = await network.sql('select process_id from usage_flush');
  expect(flushes).toHaveLength(2);
});

test('the use of an organization goes to its own subscription', async () => {
  await observing();
  await times(3);
  await expect.poll(() => usageRecordsOf(network)).toMatchObject({ used: 3 });
  const rows = await network.sql('select organization_id, used_units from subscription');
  expect(rows).toEqual([{ organization_id: DEFAULT_ORGANIZATION_ID, used_units: 3 }]);
});
