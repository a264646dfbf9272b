import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKey } from '../src/access/key.js';
import { insertApp } from '../src/store/access/app.js';
import { insertOrganization } from '../src/store/access/organization.js';
import { keyWith } from './support/app.js';
import { metered, ONE_UNIT, OPERATION, unitsPath, usageRecordsOf } from './support/metered-service.js';
import { type Network, startNetwork } from './support/network.js';

const PATH = '/portal/organization/usage';
const today = () => new Date().toISOString().slice(0, 10);

let network: Network;
let other: Record<string, string>;

beforeAll(async () => {
  network = await startNetwork(metered('observe', 1000));
  other = await keyWith(network, 'read');
  await network.get(ONE_UNIT);
  await network.get(unitsPath(4));
  await network.get(unitsPath(10), other);
  await network.get('/v2/social/user/by_username/?username=nobody', other);
  await network.sql(
    `insert into usage_day
     select a.organization_id, date '2026-01-05', k.id, 'fetch-feed', 3, 300
       from api_key k join app a on a.id = k.app_id where k.name = 'configured'`,
  );
  await vi.waitFor(async () => expect(await usageRecordsOf(network)).toMatchObject({ used: 17 }), 60_000);
});
afterAll(() => network.stop());

describe('the use of an organization', () => {
  test('is told by day, operation and key, with the plan, its limit and the period', async () => {
    const { status, body } = await network.get(PATH);
    expect(status).toBe(200);
    const rows = [
      { operation: OPERATION, keyName: 'configured', calls: 2, computeUnits: 5 },
      { operation: OPERATION, keyName: 'of a test', calls: 1, computeUnits: 10 },
      { operation: 'lookup-user-by-username', keyName: 'of a test', calls: 1, computeUnits: 2 },
    ];
    expect(body).toMatchObject({
      plan: 'Plan small',
      computeUnitsLimit: 1000,
      computeUnitsUsed: 17,
      from: body.period.start.slice(0, 10),
      to: today(),
      total: { calls: 4, computeUnits: 17 },
    });
    const byName = (one: { keyName: string; operation: string }, two: typeof one) =>
      one.operation.localeCompare(two.operation) || one.keyName.localeCompare(two.keyName);
    expect(body.usage.toSorted(byName)).toEqual(
      rows.map((row) => ({ ...row, day: today(), keyId: expect.stringMatching(/^[0-9a-f-]{36}$/) })),
    );
  });

  test('is added up by what is asked for', async () => {
    const { body } = await network.get(`${PATH}?group=operation`);
    expect(body.usage).toEqual([
      { operation: OPERATION, calls: 3, computeUnits: 15 },
      { operation: 'lookup-user-by-username', calls: 1, computeUnits: 2 },
    ]);
    expect((await network.get(`${PATH}?group=day`)).body.usage).toEqual([{ day: today(), calls: 4, computeUnits: 17 }]);
    const keys = (await network.get(`${PATH}?group=key`)).body.usage as { keyName: string; computeUnits: number }[];
    expect(Object.fromEntries(keys.map(({ keyName, computeUnits }) => [keyName, computeUnits]))).toEqual({
      configured: 5,
      'of a test': 12,
    });
  });

  test('of other days is told too, and never more than 92 of them', async () => {
    const { body } = await network.get(`${PATH}?from=2026-01-01&to=2026-01-31&group=day`);
    expect(body).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-31',
      total: { calls: 3, computeUnits: 300 },
      usage: [{ day: '2026-01-05', calls: 3, computeUnits: 300 }],
    });
    expect((await network.get(`${PATH}?to=2026-01-05`)).body).toMatchObject({ from: '2026-01-05', to: '2026-01-05' });
    expect((await network.get(`${PATH}?from=2026-01-01&to=2026-04-02`)).status).toBe(200);
  });

  test.each([
    ['from=2026-01-01&to=2026-04-03', 'from and to may be 92 days apart at most'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=0000-01-01&to=0000-01-02', 'there is no 0000-01-02'],
    ['from=yesterday', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'from must not be after to'],
    ['group=day,hour', 'group'],
  ])('%s is a 400 that says why', async (query, why) => {
    const { status, body } = await network.get(`${PATH}?${query}`);
    expect([status, body.code]).toEqual([400, 'InvalidField']);
    expect(body.message).toContain(why);
  });

  test('is told without parameters where the period is longer than that', async () => {
    const [{ start } = { start: '' }] = await network.sql<{ start: string }>(
      'select period_start::text as start from subscription',
    );
    await network.sql(`update subscription set period_start = period_start - interval '200 days'`);
    try {
      const { status, body } = await network.get(PATH);
      expect(status).toBe(200);
      expect((Date.parse(body.to) - Date.parse(body.from)) / 86_400_000).toBe(91);
    } finally {
      await network.sql('update subscription set period_start = $1::timestamptz', [start]);
    }
  });

  test('costs nothing, and is for keys that may see the portal', async () => {
    expect((await network.get(PATH)).headers.get('x-compute-units')).toBe('0');
    expect((await network.get(PATH, other)).status).toBe(403);
    expect((await network.get(PATH, { 'x-api-key': 'unknown' })).status).toBe(401);
  });

  test('is never shown to another organization', async () => {
    const { db } = network.app.core;
    const organization = await insertOrganization(db, { name: 'another one' });
    const app = await insertApp(db, { organizationId: organization?.id ?? '', name: 'its app' });
    const key = await createKey(db, { name: 'its key', appId: app?.id ?? '', scopes: ['portal'], now: new Date() });
    const { body } = await network.get(PATH, { 'x-api-key': key.secret });
    expect(body).toMatchObject({ computeUnitsUsed: 0, total: { calls: 0, computeUnits: 0 }, usage: [] });
  });
});
