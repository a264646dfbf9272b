import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSecondService } from './support/app.js';
import { booksOf, metered, ONE_UNIT, oddOperations, setUsed, statuses, unitsPath } from './support/metered-service.js';
import { type Network, startNetwork } from './support/network.js';

const onServer = process.env.TEST_DATABASE_URL !== undefined;
const CALLS = 200;

let network: Network;
/** What the service's clock is ahead of ours, in milliseconds. */
let ahead = 0;
const odd = oddOperations();

beforeAll(async () => {
  const { operations, costs } = odd;
  const clock = () => Date.now() + ahead;
  network = await startNetwork(metered('enforce', 10), undefined, { operations, costs, clock });
});
afterAll(() => network.stop());

const times = (count: number, path = ONE_UNIT) => Promise.all(Array.from({ length: count }, () => network.get(path)));

const atRest = (used: number) => expect.poll(() => booksOf(network)).toMatchObject({ used, reserved: 0, leased: 0 });
const admitted = () => expect.poll(async () => (await network.get(ONE_UNIT)).status).toBe(200);

/** Gives the organization a plan of so many units, of which so many are left, once nothing of earlier calls is around. */
const leave = async (left: number, limit: number) => {
  await expect.poll(() => booksOf(network)).toMatchObject({ reserved: 0 });
  await network.sql(`update subscription set plan_id = $1, used_units = 0`, [`of-${limit}`]);
  // What was refused a moment ago, and what plan the key had, is remembered for a moment.
  await admitted();
  await atRest(1);
  await expect
    .poll(() => network.app.services.authenticator.authenticate(network.apiKey))
    .toMatchObject({
      planId: `of-${limit}`,
    });
  await setUsed(network, limit - left);
};

describe('at the edge of a limit', () => {
  test(`${CALLS} concurrent calls let exactly the limit through, and the refusal says what to do`, async () => {
    await leave(137, 10_000);
    const answers = await times(CALLS);
    expect(statuses(answers)).toEqual({ 200: 137, 402: CALLS - 137 });
    await atRest(10_000);
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
    await atRest(9000 + passed);
    expect(statuses(await times(1000 - passed + 5))).toEqual({
      ...(passed < 1000 && { 200: 1000 - passed }),
      402: 5,
    });
  });

  test.runIf(onServer)('two processes together let exactly the limit through', async () => {
    const second = await startSecondService(network, () => Date.now() + ahead);
    try {
      await leave(150, 100_000);
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, index) => (index % 3 === 0 ? second : network).get(ONE_UNIT)),
      );
      expect(statuses(answers)).toEqual({ 200: 150, 402: CALLS - 150 });
      await atRest(100_000);
    } finally {
      await second.stop();
    }
  });

  test.runIf(onServer)('two processes that take blocks, one after another, leave nothing unused', async () => {
    const second = await startSecondService(network, () => Date.now() + ahead);
    try {
      await leave(2000, 10_000);
      const run = async (one: Pick<Network, 'get'>, count: number, units: number) => {
        let passed = 0;
        for (let n = 0; n < count; n++) {
          const answers = await Promise.all([one.get(unitsPath(units)), one.get(unitsPath(units))]);
          passed += answers.filter(({ status }) => status === 200).length * units;
        }
        return passed;
      };
      const [one, other] = await Promise.all([
        run(network, 20, 40),
        run(second as unknown as Pick<Network, 'get'>, 30, 40),
      ]);
      expect(one + other).toBeLessThanOrEqual(2000);
      await atRest(8000 + one + other);
      const rest = 2000 - one - other;
      expect(statuses(await times(rest + 3))).toEqual({ ...(rest > 0 && { 200: rest }), 402: 3 });
    } finally {
      await second.stop();
    }
  });
});

describe('reserved units', () => {
  test('are taken in blocks, and given back when nobody calls', async () => {
    await leave(100_000, 100_000);
    let calls = 0;
    const taken = async () => {
      expect((await network.get(ONE_UNIT)).status).toBe(200);
      calls++;
      return (await booksOf(network)).leased;
    };
    // A fiftieth of what is left.
    await expect.poll(taken).toBeGreaterThan(1900);
    await atRest(calls);
  });

  test('are asked for before the last of them is spent, so that no call waits for a block', async () => {
    await leave(100_000, 100_000);
    for (let calls = 1; calls <= 40; calls++) {
      expect((await network.get(unitsPath(100))).status).toBe(200);
      const unspent = async () => {
        const { used, leased } = await booksOf(network);
        return used + leased - 100 * calls;
      };
      await expect.poll(unspent).toBeGreaterThan(400);
    }
    await atRest(4000);
  });

  test('go back when the call fails here, and not when it finds nothing', async () => {
    await leave(50, 100);
    const fail = (kind: string) => network.get(`/v2/test/fail/?kind=${kind}`);
    for (let n = 0; n < 60; n++) expect((await fail('crash')).status).toBe(500);
    await atRest(50);
    for (let n = 0; n < 50; n++) expect((await fail('not_found')).status).toBe(404);
    expect((await fail('not_found')).status).toBe(402);
    await atRest(100);
  });

  test('stay reserved while a call is answered', async () => {
    await leave(10, 10);
    const waiting = Promise.all(Array.from({ length: 10 }, () => network.get('/v2/test/wait/')));
    try {
      await expect.poll(() => booksOf(network)).toMatchObject({ used: 0, reserved: 10 });
      expect((await network.get(ONE_UNIT)).status).toBe(402);
    } finally {
      odd.release();
    }
    expect(statuses(await waiting)).toEqual({ 200: 10 });
    await atRest(10);
  });

  test('of calls that come together are asked for at once', async () => {
    await leave(900, 1000);
    const { db } = network.app.core;
    const transaction = db.transaction.bind(db);
    let exchanges = 0;
    Object.assign(db, {
      transaction: (work: Parameters<typeof transaction>[0]) => {
        exchanges++;
        return transaction(work);
      },
    });
    expect(statuses(await times(CALLS))).toEqual({ 200: CALLS });
    Object.assign(db, { transaction });
    expect(exchanges).toBeGreaterThan(0);
    expect(exchanges).toBeLessThan(CALLS / 4);
  });

  test('of a process that is gone come back after their time', async () => {
    await leave(100, 100);
    await network.sql('insert into unit_lease select gen_random_uuid(), organization_id, 40, $1 from subscription', [
      new Date(Date.now() + ahead + 60_000),
    ]);
    await network.sql('update subscription set reserved_units = 40');
    expect(statuses(await times(70))).toEqual({ 200: 60, 402: 10 });
    ahead += 61_000;
    await admitted();
    expect(statuses(await times(70))).toEqual({ 200: 39, 402: 31 });
    await atRest(100);
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

  test('to one without limit ends the lease; its use is counted all the same', async () => {
    await leave(100_000, 100_000);
    expect((await network.get(ONE_UNIT)).status).toBe(200);
    await network.sql(`update subscription set plan_id = 'endless'`);
    await expect
      .poll(() => network.app.services.authenticator.authenticate(network.apiKey))
      .toMatchObject({ planId: 'endless' });
    await expect.poll(() => booksOf(network)).toMatchObject({ reserved: 0, leased: 0 });
    const { used } = await booksOf(network);
    expect(statuses(await times(50))).toEqual({ 200: 50 });
    await atRest(used + 50);
  });

  test('is not needed where a period is over: the first call in the next one begins it', async () => {
    await leave(10, 10);
    await network.sql('update subscription set plan_id = null');
    expect(statuses(await times(12))).toEqual({ 200: 10, 402: 2 });
    await atRest(10);
    ahead += 40 * 86_400_000;
    await admitted();
    const rows = await network.sql<{ isRunning: boolean; used: number }>(
      'select period_start <= $1 and period_end > $1 as "isRunning" from subscription',
      [new Date(Date.now() + ahead)],
    );
    expect(rows).toEqual([{ isRunning: true }]);
    await expect.poll(async () => (await booksOf(network)).used).toBeLessThan(10);
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

test('a database that fails: what is reserved is spent, then calls fail until it works again', async () => {
  await leave(100_000, 100_000);
  expect((await network.get(ONE_UNIT)).status).toBe(200);
  await network.sql('alter table unit_lease rename to unit_lease_gone');
  const answers = await times(60, unitsPath(100));
  const counts = statuses(answers);
  // A block of 2,000, of which one unit was spent, unless it went back in between.
  expect(counts[200] ?? 0).toBeLessThanOrEqual(19);
  expect((counts[200] ?? 0) + (counts[500] ?? 0)).toBe(60);
  await network.sql('alter table unit_lease_gone rename to unit_lease');
  await admitted();
});

test('a database that is away is a 503, and calls that cost nothing or have units go on', async () => {
  await leave(100_000, 100_000);
  expect((await network.get(ONE_UNIT)).status).toBe(200);
  const { db } = network.app.core;
  const transaction = db.transaction.bind(db);
  const away = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  Object.assign(db, { transaction: away });
  try {
    expect((await network.get(ONE_UNIT)).status).toBe(200);
    const refused = (await times(60, unitsPath(100))).filter(({ status }) => status !== 200);
    expect(refused.length).toBe(41);
    for (const { status, headers } of refused) {
      expect([status, headers.get('retry-after'), headers.get('x-compute-units')]).toEqual([503, '2', '0']);
    }
    expect((await network.get('/portal/organization/billing')).status).toBe(200);
  } finally {
    Object.assign(db, { transaction });
  }
  await admitted();
});
