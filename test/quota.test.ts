import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key.js';
import { textOf } from '../src/db/statement.js';
import { insertApp } from '../src/store/access/app.js';
import { insertOrganization } from '../src/store/access/organization.js';
import { startSecondService } from './support/app.js';
import {
  metered,
  ONE_UNIT,
  setUsed,
  statuses,
  unitsPath,
  unusualCostOperations,
  usageRecordsOf,
} from './support/metered-service.js';
import { type Network, startNetwork } from './support/network.js';

const onServer = process.env.TEST_DATABASE_URL !== undefined;
const CALLS = 200;

let network: Network;
const timings = { usageMs: 50 };
/** How far the service's clock is ahead, in milliseconds. */
let ahead = 0;
const odd = unusualCostOperations();

beforeAll(async () => {
  const { operations } = odd;
  const clock = () => Date.now() + ahead;
  network = await startNetwork(metered('enforce', 10), undefined, { operations, clock, timings });
});
afterAll(() => network.stop());

const times = (count: number, path = ONE_UNIT) => Promise.all(Array.from({ length: count }, () => network.get(path)));

/** Waits until this usage is written. */
const written = (used: number) => expect.poll(() => usageRecordsOf(network)).toMatchObject({ used });
/** Waits until the service has written its usage and read the sums of all processes. */
const settled = async () => {
  const { db } = network.app.core;
  const transaction = db.transaction.bind(db);
  let writes = 0;
  Object.assign(db, {
    transaction: async <T>(work: Parameters<typeof transaction<T>>[0]): Promise<T> => {
      const begun = writes;
      const result = await transaction(work);
      if (JSON.stringify(result)?.includes('"isWritten"')) writes = begun + 1;
      return result;
    },
  });
  await expect.poll(() => writes).toBeGreaterThan(1);
  Object.assign(db, { transaction });
};
const admitted = () => expect.poll(async () => (await network.get(ONE_UNIT)).status).toBe(200);

/** Gives the organization a plan of `limit` units, of which `left` are left, and waits until the service knows. */
const leave = async (left: number, limit: number) => {
  await network.sql(`update subscription set plan_id = $1, used_units = 0`, [`of-${limit}`]);
  // The plan of a key is cached for a second.
  ahead += 1_000;
  await admitted();
  await expect
    .poll(() => network.app.services.authenticator.authenticate(network.apiKey))
    .toMatchObject({ planId: `of-${limit}` });
  await settled();
  await setUsed(network, limit - left);
  await settled();
};

describe('at the edge of a limit', () => {
  test(`${CALLS} concurrent calls let exactly the limit through, and the refusal says what to do`, async () => {
    await leave(137, 10_000);
    const answers = await times(CALLS);
    expect(statuses(answers)).toEqual({ 200: 137, 402: CALLS - 137 });
    await written(10_000);
    const { status, body, headers } = await network.get(unitsPath(3));
    const [row] = await network.sql<{ day: string }>(
      `select (period_end at time zone 'UTC')::date::text as day from subscription`,
    );
    expect(status).toBe(402);
    expect(body).toEqual({
      code: 'PaymentRequired',
      message: `The organization has used 10,000 of 10,000 compute units of its plan, and this call costs 3. They are reset on ${row?.day} (UTC); POST /portal/subscription/upgrade changes to a larger plan at once.`,
      status: 402,
    });
    expect(headers.get('x-compute-units')).toBe('0');
    const told = ['used', 'limit', 'reset'].map((name) => headers.get(`x-compute-units-${name}`));
    expect(told).toEqual(['10000', '10000', row?.day]);
    // What costs nothing is never refused: how else could one upgrade?
    expect((await network.get('/portal/organization/billing')).status).toBe(200);
    // The hub's operations say the same in their own form.
    const hub = await network.get('/v1/userDataByFid?fid=1');
    expect([hub.status, hub.body.errCode]).toEqual([402, 'unauthorized']);
  });

  test('calls of different costs use up all of it and never more', async () => {
    await leave(1000, 10_000);
    const costs = Array.from({ length: CALLS }, (_, index) => 1 + (index % 17));
    const answers = await Promise.all(
      costs.map(async (units) => ({ units, ...(await network.get(unitsPath(units))) })),
    );
    const passed = answers.filter(({ status }) => status === 200).reduce((sum, { units }) => sum + units, 0);
    expect(statuses(answers)).toEqual({ 200: expect.any(Number), 402: expect.any(Number) });
    expect(passed).toBeLessThanOrEqual(1000);
    expect(passed).toBeGreaterThan(1000 - 17);
    await written(9000 + passed);
    expect(statuses(await times(1000 - passed + 5))).toEqual({
      ...(passed < 1000 && { 200: 1000 - passed }),
      402: 5,
    });
  });

  test.runIf(onServer)('two processes exceed the limit by a second of calls at most', async () => {
    const second = await startSecondService(network, () => Date.now() + ahead, timings);
    try {
      await leave(150, 100_000);
      const answers = await Promise.all(
        Array.from({ length: 2 * CALLS }, (_, index) => (index % 2 === 0 ? second : network).get(ONE_UNIT)),
      );
      const passed = statuses(answers)[200] as number;
      expect(passed).toBeGreaterThanOrEqual(150);
      expect(passed).toBeLessThanOrEqual(300);
      // Each knows the usage of the other after a second.
      let later = 0;
      for (const one of [network, second]) {
        const ask = async (): Promise<number> => {
          const { status } = await one.get(ONE_UNIT);
          if (status === 200) later++;
          return status;
        };
        await expect.poll(ask).toBe(402);
      }
      await written(100_000 - 150 + passed + later);
      const { used } = await usageRecordsOf(network);
      for (const one of [network, second]) expect((await one.get(ONE_UNIT)).status).toBe(402);
      await settled();
      expect((await usageRecordsOf(network)).used).toBe(used);
    } finally {
      await second.stop();
    }
  });
});

describe('units of a call', () => {
  test('are free again when the call fails in the service, and not when it finds nothing', async () => {
    await leave(50, 100);
    const fail = (kind: string) => network.get(`/v2/test/fail/?kind=${kind}`);
    for (let n = 0; n < 60; n++) expect((await fail('crash')).status).toBe(500);
    await written(50);
    for (let n = 0; n < 50; n++) expect((await fail('not_found')).status).toBe(404);
    expect((await fail('not_found')).status).toBe(402);
    await written(100);
  });

  test('count against the limit while the call is in progress', async () => {
    await leave(10, 10);
    const waiting = Promise.all(Array.from({ length: 10 }, () => network.get('/v2/test/wait/')));
    try {
      await expect.poll(async () => (await network.get(ONE_UNIT)).status).toBe(402);
      expect(await usageRecordsOf(network)).toMatchObject({ used: 0 });
    } finally {
      odd.release();
    }
    expect(statuses(await waiting)).toEqual({ 200: 10 });
    await written(10);
  });
});

describe('a change of plan', () => {
  test('to a larger one, and a new period, show within a second', async () => {
    await leave(10, 10);
    expect(statuses(await times(12))).toEqual({ 200: 10, 402: 2 });
    await network.sql(`update subscription set plan_id = 'of-1000000'`);
    await admitted();
    await setUsed(network, 1_000_000);
    await expect.poll(async () => (await network.get(ONE_UNIT)).status).toBe(402);
    await setUsed(network, 0);
    await admitted();
  });

  test('to one without limit admits every call, and its usage is counted', async () => {
    await leave(100, 100);
    await network.sql(`update subscription set plan_id = 'endless'`);
    await expect
      .poll(() => network.app.services.authenticator.authenticate(network.apiKey))
      .toMatchObject({ planId: 'endless' });
    expect(statuses(await times(200))).toEqual({ 200: 200 });
    await written(200);
  });

  test('is not needed where a period is over: the first call in the next one begins it', async () => {
    await leave(10, 10);
    await network.sql('update subscription set plan_id = null');
    expect(statuses(await times(12))).toEqual({ 200: 10, 402: 2 });
    await written(10);
    ahead += 40 * 86_400_000;
    await admitted();
    const rows = await network.sql<{ isRunning: boolean; used: number }>(
      'select period_start <= $1 and period_end > $1 as "isRunning" from subscription',
      [new Date(Date.now() + ahead)],
    );
    expect(rows).toEqual([{ isRunning: true }]);
    await expect.poll(async () => (await usageRecordsOf(network)).used).toBeLessThan(10);
  });
});

describe('warnings', () => {
  test('come from four fifths of the limit on', async () => {
    await leave(100, 100);
    const answers = [];
    for (let n = 0; n < 100; n++) answers.push(await network.get(ONE_UNIT));
    const used = answers.map(({ headers }) => headers.get('x-compute-units-used'));
    expect(used.slice(0, 79)).toEqual(Array(79).fill(null));
    expect(used.slice(79)).toEqual(Array.from({ length: 21 }, (_, index) => String(80 + index)));
  });
});

describe('while the database is unavailable', () => {
  const unavailable = async (work: () => Promise<void>) => {
    const { db } = network.app.core;
    const { transaction, select } = db;
    const fail = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    const failingSelect: typeof select = (text, params) => {
      return /from subscription/.test(textOf(text)) ? fail() : (select.call(db, text, params) as never);
    };
    Object.assign(db, { transaction: fail, select: failingSelect });
    try {
      await work();
    } finally {
      Object.assign(db, { transaction, select });
    }
  };

  test('the limit of a known organization is enforced on its last known usage', async () => {
    await leave(40, 10_000);
    await unavailable(async () => {
      expect(statuses(await times(60))).toEqual({ 200: 40, 402: 20 });
    });
    await setUsed(network, 0);
    await admitted();
  });

  test('calls of an organization whose usage is not known fail with 503', async () => {
    const { db } = network.app.core;
    const organizationId = (await insertOrganization(db, { name: 'unknown' }))?.id as string;
    const appId = (await insertApp(db, { organizationId, name: 'app' }))?.id as string;
    const { secret } = await createKey(db, { name: 'key', appId, scopes: ['read', 'portal'], now: new Date() });
    const key = { 'x-api-key': secret };
    await network.app.services.authenticator.authenticate(secret);
    await unavailable(async () => {
      const { status, headers } = await network.get(ONE_UNIT, key);
      expect([status, headers.get('retry-after'), headers.get('x-compute-units')]).toEqual([503, '2', '0']);
    });
    expect((await network.get(ONE_UNIT, key)).status).toBe(200);
  });
});
